// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/attempts/attempt.h"

namespace culprit::tests {

Attempts Archives() {
  Attempts attempts;
  const char* const command = "culprit explain bad.pt --inputs f32[4,4]";
  for (int percent = 1; percent < 100; percent += 9)
    attempts.push_back(
        {fmt::format("head -c $(($(stat -c %s net.pt) * {} / 100)) net.pt > bad.pt; {}", percent, command)});
  for (int percent = 0; percent < 100; percent += 4)
    attempts.push_back({fmt::format("cp net.pt bad.pt; head -c 8 /dev/zero | tr '\\0' '\\377' | dd of=bad.pt "
                                    "bs=1 seek=$(($(stat -c %s "
                                    "net.pt) * {} / 100)) conv=notrunc status=none; {}",
                                    percent, command),
                        {0, 1, 2, 5}});
  const char* const rebuild =
      "python3 - <<'EOF'\nimport zipfile\nold = zipfile.ZipFile('net.pt')\nnew = zipfile.ZipFile('bad.pt', "
      "'w')\n"
      "for name in old.namelist():\n    data = old.read(name)\n    {}\n    new.writestr(name, "
      "data)\nnew.close()\nEOF\n{}";
  for (const char* change :
       {"name = '../../outside/' + name", "name = '/' + name",
        "data = data.replace(b'torch.tanh(x)', b'torch.save(x, \"canary\")')",
        "data = data.replace(b'tanh', b'tanhh')", "data = data.replace(b'Tensor', b'Tensr')",
        "data = b'' if name.endswith('.pkl') else data", "data = data * 3 if name.endswith('.pkl') else data",
        "data = data.replace(b'__torch__', b'os')", "data = b'(' * 200000 if name.endswith('.py') else data",
        "data = data.replace(b'return', b'while True: pass #')", "name = name.replace('code', 'kode')",
        "data = b'cos\\nsystem\\n(S\"touch canary\"\\ntR.' if name.endswith('data.pkl') else data",
        "data = data.replace(b'torch.tanh(x)', b'torch.from_file(\"canary\", True, 4)')",
        "name = name.replace('version', 'version2')"})
    attempts.push_back({fmt::format(fmt::runtime(rebuild), change, command), {0, 1, 2, 5}});
  attempts.push_back({"culprit graph net.pt"});
  attempts.push_back({"culprit convert net.pt --to python"});
  attempts.push_back({"culprit run net.pt --backend torchscript --inputs file:net.pt"});
  attempts.push_back({"culprit run net.pt --backend torchscript --inputs file:evil.so"});
  return attempts;
}

}  // namespace culprit::tests
