import type { PublicClient } from 'viem'

const precompile = '0x0000000000000000000000000000000000000100'

/** hash ‖ r ‖ s ‖ x ‖ y of a valid signature: the first vector of RIP-7212's test file. */
const validSignature =
  '0x4cee90eb86eaa050036147a12d49004b6b9c72bd725d39d4785011fe190f0b4da73bd4903f0ce3b639bbbf6e8e80d16931ff4bcf5993d58468e8fb19086e8cac36dbcd03009df8c59286b162af3bd7fcc0450c9aa81be5d10d312af6c66b1d604aebd3099c618202fcfe16ae7770b0c49ab5eadf74b754204a3bb6060e44eff37618b065f9832de4ca6ca971a7a1adc826d0f7c00181a5fb2ddf79ae00b4e10e'

/**
 * RIP-7212 and EIP-7951: the precompile returns 1 in 32 bytes for a valid signature. Without it the result is
 * empty.
 */
export async function readHasP256Precompile(client: PublicClient): Promise<boolean> {
  const { data } = await client.call({ to: precompile, data: validSignature })
  return data !== undefined && BigInt(data) === 1n
}
