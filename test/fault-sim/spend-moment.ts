/**
 * A signature is registered in the journal (`write`), or bytes leave the process (`call`). A write sees everything written before it; a call
 * follows what is on disk.
 */
export type SpendMoment = "write" | "call"
