import {
  concat,
  getTypesForEIP712Domain,
  type Hex,
  hashStruct,
  keccak256,
  type LocalAccount,
  type Signature,
  serializeSignature,
  serializeTransaction,
  type TypedDataDomain,
  toPrefixedMessage,
} from 'viem'
import { toAccount } from 'viem/accounts'
import { canonicalSignature } from './canonical-signature.ts'
import type { RemoteKey, RemoteSigner } from './remote-signer.ts'

/** Runs one signature request, and observes its duration and result. */
export type ObserveSigning = <T>(sign: () => Promise<T>) => Promise<T>

const unobserved: ObserveSigning = (sign) => sign()

/**
 * An account whose key is at a remote signer. The signer receives the bytes whose keccak256 is signed, and
 * every signature is verified here before it is returned.
 *
 * It has no `sign({ hash })`, because a signer cannot inspect data that is already hashed.
 */
export function createRemoteAccount(
  signer: RemoteSigner,
  key: RemoteKey,
  observe: ObserveSigning = unobserved,
): LocalAccount {
  const { address } = key
  const sign = (preimage: Hex): Promise<Signature> =>
    observe(async () => canonicalSignature(await signer.sign(key, preimage), keccak256(preimage), address))
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
