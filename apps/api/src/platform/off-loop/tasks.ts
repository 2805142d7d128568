import {
  type AccountMessage,
  AccountsError,
  hashAccountMessage,
  type RecoverOwnerSignatureResult,
  recoverOwnerSignature,
} from '@lanyard/accounts'
import { recoverFast } from '@lanyard/accounts/recover'
import { type Address, type Hash, type Hex, keccak256 } from 'viem'

/** The hash of a message, or why there is none. */
export type HashedMessage = { readonly hash: Hash } | { readonly refusal: string }

/** What the other thread does. Arguments and results are copied, so errors that callers get are results. */
export const tasks = {
  keccak256: async (bytes: Hex): Promise<Hash> => keccak256(bytes),

  async hashMessage(message: AccountMessage): Promise<HashedMessage> {
    try {
      return { hash: hashAccountMessage(message) }
    } catch (error) {
      if (error instanceof AccountsError) return { refusal: error.message }
      throw error
    }
  },

  recoverOwner: (request: {
    readonly hash: Hash
    readonly owner: Address
    readonly signature: Hex
    readonly triesText: boolean
  }): Promise<RecoverOwnerSignatureResult> => recoverOwnerSignature({ ...request, recover: recoverFast }),
} as const

export type Tasks = typeof tasks
