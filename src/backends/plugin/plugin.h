// SPDX-License-Identifier: Apache-2.0
//
// Backends in shared libraries, behind the C interface of include/culprit/backend.h: that header is the
// design.
//
//   load_plugin   dlopen and the handshake        view      graphs and tensors as the plug-in sees them
//   host          what it may ask for             outputs   what it makes
//
// What a plug-in reports as an error is thrown as "plug-in 'name': message"; its C++ exceptions pass through.
#pragma once

#include <string>

#include "backend/backend.h"
#include "culprit/backend.h"

namespace culprit::backends::plugin {

class Plugin : public backend::Kind {
 public:
  /// `path` is what users write, and the name of the backend.
  static base::Result<Plugin> Load(const std::string& path);

  const backend::Description& description() const override { return description_; }
  /// The backend may outlive the kind.
  base::Result<std::unique_ptr<backend::Backend>> Open(
      const backend::Configuration& configuration) const override;

 private:
  Plugin(const CulpritPlugin& plugin, backend::Description description)
      : plugin_(&plugin), description_(std::move(description)) {}

  const CulpritPlugin* plugin_;
  backend::Description description_;
};

}  // namespace culprit::backends::plugin
