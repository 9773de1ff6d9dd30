/**
 * Versions: what a producer says it speaks.
 */
import { PROTOCOL_VERSION } from "../../agui/Dialect.ts"
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks } from "../Stream.ts"

/** The rules of versions. */
export const versionRules = rulesOf("version", {
  "AGUI-VERSION-001": {
    level: "info",
    requirement:
      "RUN_STARTED declares the protocolVersion of the producer. Without one the producer counts as older than 1.0, which is legal, so this is not a breach by itself.",
    spec: "1.0 basic/versioning#version-negotiation",
    dialects: ["1.0"]
  },
  "AGUI-VERSION-002": {
    level: "warning",
    requirement: "protocolVersion is MAJOR.MINOR.",
    spec: "1.0 basic/versioning#version-negotiation",
    dialects: ["1.0"]
  },
  "AGUI-VERSION-003": {
    level: "warning",
    requirement: "protocolVersion is of the major line the client speaks: it warns about any other.",
    spec: "1.0 basic/versioning#version-negotiation",
    dialects: ["1.0"]
  }
})

const [major] = PROTOCOL_VERSION.split(".")

/** Looks at what RUN_STARTED declares. */
export const versionChecks: Checks = {
  on: {
    RUN_STARTED: ({ protocolVersion }, stream) => {
      if (protocolVersion === undefined)
        stream.reportOnce(versionRules["AGUI-VERSION-001"], "", "RUN_STARTED declares no protocolVersion.")
      else if (typeof protocolVersion === "string" && !/^\d+\.\d+$/.test(protocolVersion))
        stream.report(
          versionRules["AGUI-VERSION-002"],
          `protocolVersion ${quote(protocolVersion)} is not of the form MAJOR.MINOR.`
        )
      else if (typeof protocolVersion === "string" && protocolVersion.split(".")[0] !== major)
        stream.report(
          versionRules["AGUI-VERSION-003"],
          `protocolVersion ${quote(protocolVersion)} is of another major line than ${PROTOCOL_VERSION}.`
        )
    }
  }
}
