import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  eoaOf,
  isSafeProxy,
  toOwner,
  toSafeAccount,
} from '@lanyard/accounts'
import { address, LanyardError } from '@lanyard/contracts'
import type { AccountIdentity } from '@lanyard/database'
import { type Address, getAddress } from 'viem'
import { z } from 'zod'
import { RecentMap } from '../../../platform/recent-map.ts'
import { isImported, type Kind, type Wallet } from '../accounts/kind.ts'

const storedDeployment = z.object({
  singleton: address,
  factory: address,
  module: address,
  moduleSetup: address,
  sharedSigner: address,
  multiSend: address,
  multiSendCallOnly: address,
  signerFactory: address,
  entryPoint: address,
  ownership: address.optional(),
  saltNonce: z.string().transform(BigInt),
  address: address.optional(),
  /** Of an imported account: the EOA that stands for its owners while the chain does not answer. */
  owner: address.optional(),
}) satisfies z.ZodType<AccountDeployment>

/** The `deployment` column: JSON has no bigint, so the salt nonce is a decimal string. */
export const toStoredDeployment = (deployment: AccountDeployment) => ({
  ...deployment,
  saltNonce: deployment.saltNonce.toString(),
})

type StoredDeployment = z.output<typeof storedDeployment>

/**
 * Keyed by the JSON text. There is one entry per version of the contracts, and one for each imported account; parsing one hashes
 * ten addresses.
 */
const parsed = new RecentMap<string, StoredDeployment>(1_000)

/**
 * The inverse of `toStoredDeployment`. It validates the value: a manipulated database must not change an
 * account's address.
 */
function fromStoredDeployment(stored: unknown): StoredDeployment {
  const text = JSON.stringify(stored)
  const known = parsed.get(text)
  if (known) return known
  const deployment = Object.freeze(storedDeployment.parse(stored))
  parsed.set(text, deployment)
  return deployment
}

/** A Safe's owners sign the hash, and its factory needs no consent. */
export const safeKind: Kind<Wallet> = {
  substitutes: {},
  read(row) {
    const deployment = fromStoredDeployment(row.deployment)
    return { address: getAddress(row.address), owner: readOwner(row, deployment), deployment }
  },
  ofEoa(address, deployment) {
    const owner = toOwner({ address })
    return { address: computeAccountAddress(owner, deployment), owner, deployment }
  },
  isDeployedOtherwise: async (network, { account }) =>
    // The column holds 0x and 40 digits.
    (await network.call((client) => client.getCode({ address: account as Address }))) !== undefined,
  rulesOf: ({ address, owner, deployment }) => ({
    kind: 'safe',
    account: toSafeAccount(owner, deployment),
    // The address of an imported account says nothing of its code.
    isDeployed: isImported({ deployment }) ? isSafeProxy : (code) => code !== undefined,
    toStored: () => ({
      address,
      // An EOA may have an account of this service besides those that it owns.
      eoaAddress: isImported({ deployment }) ? null : (eoaOf(owner) ?? null),
      deployment: {
        ...toStoredDeployment(deployment),
        ...(isImported({ deployment }) && { owner: eoaOf(owner) }),
      },
    }),
    requireUsable: async () => () => ({}),
    requireAuthorization: async () => undefined,
  }),
}

function readOwner(
  { address, eoa_address, passkey_x, passkey_y, passkey_verifiers }: AccountIdentity,
  { owner }: StoredDeployment,
): AccountOwner {
  if (owner !== undefined) return toOwner({ address: owner })
  if (eoa_address !== null) return toOwner({ address: getAddress(eoa_address) })
  if (passkey_x === null || passkey_y === null || passkey_verifiers === null) {
    throw new LanyardError('INTERNAL', { cause: `account ${address} has no owner` })
  }
  return toOwner({ x: passkey_x, y: passkey_y, verifiers: passkey_verifiers })
}
