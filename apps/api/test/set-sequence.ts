import { encodeAbiParameters, type Hex, keccak256, numberToHex } from 'viem'

interface StorageSetter {
  setStorageAt(change: { address: Hex; index: Hex; value: Hex }): Promise<unknown>
}

/** Sets the nonce sequence of a lane, as if the account had sent that many operations. */
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
