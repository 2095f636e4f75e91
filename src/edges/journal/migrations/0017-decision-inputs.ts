/**
 * Old decisions are deleted every hundred new ones, with the inputs that no other decision refers
 * to. Without this index that reads all decisions.
 */
export const decisionInputs = `
create index decisions_inputs on decisions (inputs) where inputs is not null;
`
