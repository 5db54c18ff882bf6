// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzztarget.h"

#include "plan/environmentfile.h"

namespace tasuki::fuzz {

std::vector<std::string> environmentSeeds()
{
    using namespace tasuki::plan;
    Environment environment;
    environment.nodes = {{.name = "grid00", .speedConfidence = 0.01},
                         {.name = "\xE8\xA8\x88", .speed = 0.5, .slots = 3, .egressUsPerByte = 0.1},
                         {.name = "\"#", .speed = 1e-3, .ingressUsPerByte = 2}};
    environment.linkDefault = {.a0Us = 60, .a1UsPerByte = 0.08, .a0Confidence = 1.5};
    environment.links.resize(environment.nodes.size() * environment.nodes.size());
    environment.links[1] = LinkSpec{.a0Us = 120, .a1UsPerByte = 0.8, .a1Confidence = 1e-3};
    environment.links[3] = environment.links[1];
    environment.links[2] = LinkSpec{.a0Us = 7};
    environment.links[8] = LinkSpec{.a1UsPerByte = 1e-4};
    return {
        environmentText(environment),
        "node = [{name = 'a'}, {name = \"b\", speed = 5e-1}]\n"
        "link_default = {a0_us = 1, a1_us_per_byte = 0x2}\n"
        "[[link]]\nfrom = 'a'\nto = '''b'''\na0_us = 1_000\na1_us_per_byte = nan\n",
        "[[node]]\r\nname = \"\\u8A08\"\r\n\"speed\" = inf # fast\r\n"
        "[[link]]\r\nbetween = [\r\n\"a\",\r\n\"\"\"b\"\"\"]\r\ndate = 2026-01-01T00:00:00Z\r\n",
        "[[node]]\nname = \"a\"\n[[node]]\nname = \"a\"\nslots = 0\ntrace_speed = true\n"};
}

} // namespace tasuki::fuzz
