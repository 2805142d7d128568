import { type Address, getAddress, isAddress } from 'viem'

/** The key services that sign digests of secp256k1. */
const forms = {
  /** A key's ARN, or its id in the region of the environment. */
  'aws-kms': /^(?:arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+|[0-9a-f-]{36}|mrk-[0-9a-f]{32})$/,
  /** The resource name of a version. */
  'gcp-kms':
    /^projects\/\w[\w.:-]*\/locations\/[\w-]+\/keyRings\/[\w-]+\/cryptoKeys\/[\w-]+\/cryptoKeyVersions\/\d+$/,
  /**
   * The key identifier with its version, as the portal shows it, at a host of Azure, because the host gets a token: of Key Vault
   * or Managed HSM, in the public cloud, China's or that of the US government.
   */
  'azure-kv':
    /^https:\/\/[\w-]+\.(?:vault\.(?:azure\.net|azure\.cn|usgovcloudapi\.net)|managedhsm\.(?:azure\.net|azure\.cn|usgovcloudapi\.net))\/keys\/[\w-]+\/[0-9a-f]{32}$/,
} as const

export type KmsService = keyof typeof forms

/** A key in a cloud's key service, which never releases it. */
export interface KmsKey {
  readonly kind: KmsService
  readonly id: string
  /** Absent: the service is asked for the public key when the key is opened. */
  readonly address?: Address
}

export const isKmsKey = (source: { readonly kind: string }): source is KmsKey => source.kind in forms

/**
 * Parses `aws-kms:<key>`, `gcp-kms:<version>` or `azure-kv:<key>`, each with or without `#<address>`.
 *
 * @returns undefined if it is none of them
 */
export function parseKmsKey(text: string): KmsKey | undefined {
  const [, kind, id = '', address] = /^(aws-kms|gcp-kms|azure-kv):([^#]+)(?:#(.+))?$/s.exec(text) ?? []
  if (kind === undefined || !forms[kind as KmsService].test(id)) return undefined // a name in the expression
  if (address === undefined) return { kind: kind as KmsService, id }
  return isAddress(address) ? { kind: kind as KmsService, id, address: getAddress(address) } : undefined
}
