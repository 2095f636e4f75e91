/**
 * Stops a process of ours without ending it, or lets it go on. Its clients wait in vain meanwhile,
 * as for a node that hangs.
 */
export function freezeProcess(pid: number, frozen: boolean): void {
  process.kill(pid, frozen ? "SIGSTOP" : "SIGCONT")
}
