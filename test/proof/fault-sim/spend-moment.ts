/**
 * A signature is registered in the journal (`write`), or bytes leave the process (`call`). A write
 * sees everything written before it; a call follows what is on disk. A `former call` is one of a
 * daemon that stood still before it while another one took the lease.
 */
export type SpendMoment = "write" | "call" | "former call"
