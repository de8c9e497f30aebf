// SPDX-License-Identifier: Apache-2.0
#include "hunt/text_file.h"

#include <fstream>
#include <sstream>

namespace culprit::hunt {

base::Result<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) return base::Diagnostic{{path}, "cannot be read"};
  return text.str();
}

}  // namespace culprit::hunt
