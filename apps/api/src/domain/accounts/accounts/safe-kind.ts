import {
  type AccountDeployment,
  type AccountOwner,
  computeAccountAddress,
  toSafeAccount,
} from '@lanyard/accounts'
import { LanyardError } from '@lanyard/contracts'
import type { AccountIdentity } from '@lanyard/database'
import { type Address, getAddress } from 'viem'
import type { Kind } from './kind.ts'
import { fromStoredDeployment, toStoredDeployment } from './stored-deployment.ts'

/** A Safe of this service, in the form that the account functions take. */
export interface Wallet {
  /** Checksummed. */
  readonly address: Address
  /** The first owner: the address and the init code follow from it. */
  readonly owner: AccountOwner
  readonly deployment: AccountDeployment
}

/** A Safe's owners sign the hash, and its factory needs no consent. */
export const safeKind: Kind<Wallet> = {
  substitutes: {},
  read: (row) => ({
    address: getAddress(row.address),
    owner: toOwner(row),
    deployment: fromStoredDeployment(row.deployment),
  }),
  ofEoa(address, deployment) {
    const owner = { kind: 'eoa', address } as const
    return { address: computeAccountAddress(owner, deployment), owner, deployment }
  },
  isDeployedOtherwise: async (network, { account }) =>
    // The column holds 0x and 40 digits.
    (await network.call((client) => client.getCode({ address: account as Address }))) !== undefined,
  rulesOf: ({ address, owner, deployment }) => ({
    kind: 'safe',
    account: toSafeAccount(owner, deployment),
    isDeployed: (code) => code !== undefined,
    toStored: () => ({
      address,
      eoaAddress: owner.kind === 'eoa' ? owner.address : null,
      deployment: toStoredDeployment(deployment),
    }),
    requireUsable: async () => () => ({}),
    requireAuthorization: async () => undefined,
  }),
}

function toOwner({
  address,
  eoa_address,
  passkey_x,
  passkey_y,
  passkey_verifiers,
}: AccountIdentity): AccountOwner {
  if (eoa_address !== null) return { kind: 'eoa', address: getAddress(eoa_address) }
  if (passkey_x === null || passkey_y === null || passkey_verifiers === null) {
    throw new LanyardError('INTERNAL', { cause: `account ${address} has no owner` })
  }
  return { kind: 'passkey', x: passkey_x, y: passkey_y, verifiers: passkey_verifiers }
}
