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

/** Runs one request for a signature, and sees how long it takes and how it ends. */
export type ObserveSigning = <T>(sign: () => Promise<T>) => Promise<T>

const unobserved: ObserveSigning = (sign) => sign()

/**
 * An account whose key is at a remote signer. Everything that it signs is sent there as the bytes whose keccak256 the
 * signature is over, and every signature is recovered here before anybody gets it.
 *
 * It has no `sign({ hash })`: what is hashed already, no signer can look at.
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
      const loose = typedData as unknown as LooseTypedData // the same, for any types
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

/** Typed data without the compiler's knowledge of its types. */
interface LooseTypedData {
  readonly domain?: TypedDataDomain
  readonly types: Record<string, { name: string; type: string }[]>
  readonly primaryType: string
  readonly message: Record<string, unknown>
}
