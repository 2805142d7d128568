import { ownershipAbi } from '@lanyard/onchain'
import { type Address, type Hash, zeroHash } from 'viem'
import { type AccountState, readAccount } from '../account/read-account.ts'
import type { Connection } from '../connect.ts'
import type { RecoveryKit } from '../kit/recovery-kit.ts'
import { RecoveryError } from '../recovery-error.ts'
import { findOwnership } from './find-ownership.ts'

/** What the Ownership module knows of the account on one network. */
export interface OwnershipView {
  readonly connection: Connection
  readonly kit: RecoveryKit
  readonly state: AccountState
  readonly module: Address
  /** The sequence of the next change or recovery. */
  readonly sequence: bigint
  /** The highest number that guardians have started or taken back at this sequence. */
  readonly number: bigint
  /** Hash of the guardians in force. Undefined: none. */
  readonly guardians: Hash | undefined
  readonly running: RunningRecovery | undefined
  /** Unix seconds of the network's last block. */
  readonly now: number
}

interface RunningRecovery {
  /** What its guardians signed. */
  readonly hash: Hash
  /** Unix seconds from which anyone can execute it. */
  readonly readyAt: number
}

/**
 * Reads the module's state on one network.
 *
 * @throws RecoveryError NO_OWNERSHIP, THRESHOLD
 */
export async function readOwnership(connection: Connection, kit: RecoveryKit): Promise<OwnershipView> {
  const { client } = connection
  const state = await readAccount(client, kit)
  const module = await findOwnership(client, kit, state.deployed)
  if (!module) {
    throw new RecoveryError(
      'NO_OWNERSHIP',
      'The account has no Ownership module on this network. Its owners change here by a Safe transaction.',
    )
  }
  const [stored, block] = await Promise.all([
    client.readContract({
      address: module,
      abi: ownershipAbi,
      functionName: 'stateOf',
      args: [kit.account],
    }),
    client.getBlock(),
  ])
  return {
    connection,
    kit,
    state,
    module,
    sequence: stored.sequence,
    number: stored.number,
    guardians: stored.guardians === zeroHash ? undefined : stored.guardians,
    running:
      stored.recovery === zeroHash
        ? undefined
        : { hash: stored.recovery, readyAt: Number(stored.recoveryReadyAt) },
    now: Number(block.timestamp),
  }
}
