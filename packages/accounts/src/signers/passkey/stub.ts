import { type Address, type Hex, stringToHex } from 'viem'
import { encodeContractSignature } from './encode-contract-signature.ts'
import { encodeAssertion } from './encode-webauthn-signature.ts'

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

/** As long and as costly as a real signature, through the signer contract that represents the passkey. */
export const passkeyStub = (signer: Address): Hex =>
  encodeContractSignature(
    signer,
    // Both are in range (below n), and no key's signature over any real hash.
    encodeAssertion({
      authenticatorData,
      fields: clientDataFields,
      r: BigInt(`0x${'ec'.repeat(32)}`),
      s: BigInt(`0x${'d5a'.repeat(21)}f`),
    }),
  )
