import { type Hex, stringToHex } from 'viem'
import { type AccountDeployment, safeDeployment } from '../account/deployment.ts'
import type { AccountOwner } from '../account/owner.ts'
import { encodeContractSignature } from '../passkey/encodeContractSignature.ts'
import { encodeAssertion } from '../passkey/encodeWebAuthnSignature.ts'
import { encodeSignature } from './encodeSignature.ts'

/**
 * r, s and v with which `ecrecover` answers some address, so that it costs what a real signature costs. An
 * r that is no x coordinate would be answered with nothing.
 */
const recoverableSignature: Hex = `0x${'ec'.repeat(32)}${'5c'.repeat(32)}1c`

/** 37 bytes: flags "user present" and "user verified", the rest not zero, since such bytes cost most to send. */
const authenticatorData: Hex = `0x${'fe'.repeat(32)}05${'fe'.repeat(4)}`

/**
 * 256 bytes where a browser writes 60 to 170: origin, crossOrigin and, now and then, Chrome's reminder that other
 * keys can be added. That leaves room for an origin of 116 characters.
 */
const clientDataFields = stringToHex(
  `${'"origin":"https://stub.example","crossOrigin":false,"stub":"'.padEnd(255, 'x')}"`,
)

/**
 * A signature to estimate gas with: at least as long, and as costly, as the owner's real ones, and valid for no
 * operation. Where a chain has the P-256 precompile, a bad signature makes the signer contract fall through to
 * the Solidity verifier, which a real one does not: the estimation has to override that verifier's code.
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
          // Both in range (below n), and of no key's signature over any hash that occurs.
          encodeAssertion({
            authenticatorData,
            fields: clientDataFields,
            r: BigInt(`0x${'ec'.repeat(32)}`),
            s: BigInt(`0x${'d5a'.repeat(21)}f`),
          }),
        )
  return encodeSignature({ validAfter, validUntil, signatures })
}
