/** Nothing is lent and nothing is owed: SmartBalance only pays the gas, and there is nothing to `claim`. */
export function isSponsorship({
  claimAmount,
  debits,
}: {
  readonly claimAmount: bigint
  readonly debits: readonly unknown[]
}): boolean {
  return claimAmount === 0n && debits.length === 0
}
