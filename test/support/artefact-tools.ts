import { spawnSync } from "node:child_process"

const TOOLS = ["mmdebstrap", "umoci", "dpkg-deb", "strip"]

/** Whether this machine and user can make every artefact of a release. */
export function hasArtefactTools(): boolean {
  const isHere = (name: string): boolean =>
    spawnSync("sh", ["-c", `command -v ${name}`]).status === 0
  return process.getuid?.() === 0 && TOOLS.every(isHere)
}
