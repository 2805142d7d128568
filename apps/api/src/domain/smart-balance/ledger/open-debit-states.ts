/** Debits that a settlement could still reach. */
export const openDebitStates = ['RESERVED', 'DUE', 'PARTIAL'] as const
