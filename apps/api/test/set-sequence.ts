import { encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'

interface StorageSetter {
  setStorageAt(change: { address: Hex; index: Hex; value: Hex }): Promise<unknown>
}

/** Puts a lane of an account where many operations would have brought it. */
export async function setSequence(
  chain: StorageSetter,
  entryPoint: Hex,
  { account, lane, sequence }: { readonly account: Hex; readonly lane: bigint; readonly sequence: bigint },
): Promise<void> {
  // NonceManager of EntryPoint v0.7: nonceSequenceNumber[account][key], at slot 1.
  const outer = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'uint256' }], [account, 1n]))
  const index = keccak256(encodeAbiParameters([{ type: 'uint192' }, { type: 'bytes32' }], [lane, outer]))
  await chain.setStorageAt({ address: entryPoint, index, value: numberToHex(sequence, { size: 32 }) })
}
