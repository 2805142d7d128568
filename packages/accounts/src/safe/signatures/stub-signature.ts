import { type Hex, stringToHex } from 'viem'
import type { AccountOwner } from '../../owner.ts'
import { encodeContractSignature } from '../../signers/passkey/encode-contract-signature.ts'
import { encodeAssertion } from '../../signers/passkey/encode-webauthn-signature.ts'
import { type AccountDeployment, safeDeployment } from '../deployment/deployment.ts'
import { encodeSignature } from './encode-signature.ts'

/**
 * r, s and v for which `ecrecover` returns some address, so that it costs as much as a real signature. If r
 * is not an x coordinate, `ecrecover` returns nothing.
 */
const recoverableSignature: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`

/**
 * 37 bytes: flags "user present" and "user verified". The other bytes are not zero, because nonzero calldata
 * costs most.
 */
const authenticatorData: Hex = `0x${'fe'.repeat(32)}05${'fe'.repeat(4)}`

/**
 * 256 bytes, where a browser writes 60 to 170: origin, crossOrigin and sometimes Chrome's reminder that other
 * keys can be added. That leaves room for an origin of 116 characters.
 */
const clientDataFields = stringToHex(
  `${'"origin":"https://stub.example","crossOrigin":false,"stub":"'.padEnd(255, 'x')}"`,
)

/**
 * A signature for gas estimation: at least as long and as costly as the owner's real ones, and valid for no
 * operation. If a chain has the P-256 precompile, a bad signature makes the signer contract fall through to
 * the Solidity verifier, which a real one does not. The estimation must therefore override that verifier's
 * code.
 *
 * @param options.signer for a passkey added later, its signer contract (`computeSignerAddress`).
 */
export function stubSignature(
  owner: Pick<AccountOwner, 'kind'>,
  options: {
    validAfter?: number
    validUntil?: number
    signer?: AccountDeployment['sharedSigner']
  } = {},
): Hex {
  const { validAfter = 0, validUntil = 0, signer = safeDeployment.sharedSigner } = options
  const signatures =
    owner.kind === 'eoa'
      ? recoverableSignature
      : encodeContractSignature(
          signer,
          // Both are in range (below n), and no key's signature over any real hash.
          encodeAssertion({
            authenticatorData,
            fields: clientDataFields,
            r: BigInt(`0x${'ec'.repeat(32)}`),
            s: BigInt(`0x${'d5a'.repeat(21)}f`),
          }),
        )
  return encodeSignature({ validAfter, validUntil, signatures })
}
