/** Finds a signature by its digest, to see that no other order has signed the same bytes. */
export const signedDigests = "create index signatures_by_digest on signatures (digest);"
