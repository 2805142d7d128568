import { LanyardError } from '@lanyard/contracts'
import {
  type Address,
  concat,
  getTypesForEIP712Domain,
  type Hash,
  type Hex,
  hashStruct,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  numberToHex,
  recoverAddress,
  type Signature,
  serializeSignature,
  serializeTransaction,
  size,
  slice,
  type TypedDataDomain,
  toPrefixedMessage,
} from 'viem'
import { toAccount } from 'viem/accounts'

/** Order of secp256k1 (SEC 2 §2.4.1). */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/**
 * The signer's signature in the one form that chains accept, after checking that this key made it over this
 * hash. Devices differ in v, and some return s in the upper half of the order (EIP-2); r and s decide.
 *
 * @param answered - r ‖ s, with or without v
 * @throws SIGNER_FAILED if it is another key's, over another hash, or not a signature
 */
async function canonicalSignature(answered: Hex, hash: Hash, address: Address): Promise<Signature> {
  if (size(answered) !== 64 && size(answered) !== 65) throw rejected('the signer returned no signature')
  const r = slice(answered, 0, 32)
  const answeredS = BigInt(slice(answered, 32, 64))
  if (answeredS >= curveOrder) throw rejected('the signer returned an s above the order of the curve')
  const s = lowerHalf(answeredS)
  for (const yParity of [0, 1]) {
    const signature: Signature = { r, s, yParity, v: BigInt(27 + yParity) }
    const signer = await recoverAddress({ hash, signature }).catch(() => undefined)
    if (signer && isAddressEqual(signer, address)) return signature
  }
  throw rejected(`the signer's signature is not one by ${address} over the requested data`)
}

const lowerHalf = (s: bigint): Hex => numberToHex(s > curveOrder / 2n ? curveOrder - s : s, { size: 32 })

const rejected = (cause: string) => new LanyardError('SIGNER_FAILED', { cause })

/** Runs one signature request, and observes its duration and result. */
export type ObserveSigning = <T>(sign: () => Promise<T>) => Promise<T>

const unobserved: ObserveSigning = (sign) => sign()

/**
 * An account whose key is somewhere else. Every signature is verified here before it is returned.
 *
 * It has no `sign({ hash })`, because a signer cannot inspect data that is already hashed.
 *
 * @param request - asks for a signature over the keccak256 of these bytes: r ‖ s, with or without v
 */
export function createRemoteAccount(
  address: Address,
  request: (preimage: Hex) => Promise<Hex>,
  observe: ObserveSigning = unobserved,
): LocalAccount {
  const sign = (preimage: Hex): Promise<Signature> =>
    observe(async () => canonicalSignature(await request(preimage), keccak256(preimage), address))
  return toAccount({
    address,
    async signMessage({ message }) {
      return serializeSignature(await sign(toPrefixedMessage(message)))
    },
    async signTransaction(transaction, { serializer = serializeTransaction } = {}) {
      return serializer(transaction, await sign(await serializer(transaction)))
    },
    async signTypedData(typedData) {
      const loose = typedData as unknown as LooseTypedData // the same data, with any types
      return serializeSignature(await sign(typedDataPreimage(loose)))
    },
  })
}

/** EIP-712: 0x19 0x01 ‖ domainSeparator ‖ hashStruct(message). */
function typedDataPreimage({ domain = {}, types: messageTypes, primaryType, message }: LooseTypedData): Hex {
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain }), ...messageTypes }
  const hash = (primaryType: string, data: object) =>
    hashStruct<Record<string, unknown>, string>({ data: { ...data }, primaryType, types })
  return concat(['0x1901', hash('EIP712Domain', domain), hash(primaryType, message)])
}

/** Typed data whose types the compiler does not know. */
interface LooseTypedData {
  readonly domain?: TypedDataDomain
  readonly types: Record<string, { name: string; type: string }[]>
  readonly primaryType: string
  readonly message: Record<string, unknown>
}
