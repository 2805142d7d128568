import type { AttestationRow } from '@lanyard/database'
import { type AttestorSignature, getAttestationHash, type Outcome } from '@lanyard/smart-balance'
import { type Address, getAddress, type Hash, type Hex, isAddressEqual, recoverAddress } from 'viem'

interface Attested {
  readonly smartBalance: Address
  readonly orderHash: Hash
  readonly outcome: Outcome
}

/**
 * The attestations of exactly this outcome whose signature is valid. The chain decides whether the signer is
 * an attestor.
 */
export async function validAttestations(
  rows: readonly AttestationRow[],
  { smartBalance, orderHash, outcome }: Attested,
): Promise<AttestorSignature[]> {
  const hash = getAttestationHash({ smartBalance, orderHash, outcome })
  const checked = await Promise.all(
    rows.map(async (row) => {
      if (row.signature === null || row.outcome !== outcome || row.order_hash !== orderHash) return []
      const attestor = getAddress(row.attestor)
      const signature = row.signature as Hex // the value is validated here
      const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
      return signer && isAddressEqual(signer, attestor) ? [{ attestor, signature }] : []
    }),
  )
  return checked.flat()
}
