/** States of a debit that a settlement can still change. */
export const openDebitStates = ['RESERVED', 'DUE', 'PARTIAL'] as const
