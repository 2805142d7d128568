import type { Address } from 'viem'
import { DeploymentError } from './error.ts'

/** The state of a network after the deployment. */
export interface DeploymentTarget {
  /** Deploys, owns, and pays. Together with the salt it determines the address. */
  readonly owner: Address
  /** The settlement token, 6 decimals or more. */
  readonly token: Address
  /** EntryPoint v0.7. */
  readonly entryPoint: Address
  /** Safe4337Module 0.3.0, in whose EIP-712 domain users sign. */
  readonly safe4337Module: Address
  /** The members of the AttestorSet; at least one more than `threshold`. */
  readonly attestors: readonly Address[]
  readonly threshold: number
  readonly operators: readonly Address[]
  readonly settlers: readonly Address[]
  /** May pause new orders, pause settlement for a limited time, and revoke operators. Absent: none is set, and an existing one stays. */
  readonly pauser?: Address
  /** Maximum amount lent in an hour, 6-decimal units. */
  readonly outflowCap: bigint
  /** The paymaster's deposit in EntryPoint is raised to this, wei. */
  readonly gasDeposit: bigint
  /** The paymaster's stake in EntryPoint is raised to this, wei. */
  readonly stake: bigint
  /** Liquidity is raised to this from the owner's tokens, 6-decimal units. */
  readonly liquidity: bigint
}

/** @throws DeploymentError `INVALID_TARGET` if a key would hold two roles, or there are too few attestors */
export function assertConsistent(target: DeploymentTarget): void {
  const { owner, attestors, threshold, operators, settlers, pauser } = target
  const holders = [owner, ...attestors, ...operators, ...settlers, ...(pauser ? [pauser] : [])].map(
    (address) => address.toLowerCase(),
  )
  const twice = holders.find((address, index) => holders.indexOf(address) !== index)
  if (twice !== undefined) {
    throw new DeploymentError(
      'INVALID_TARGET',
      `${twice} is named for two roles. Owner, operators, attestors, settlers and pauser each need their own key.`,
    )
  }
  if (!Number.isSafeInteger(threshold) || threshold < 1 || attestors.length < threshold + 1) {
    throw new DeploymentError(
      'INVALID_TARGET',
      `${threshold} of ${attestors.length} attestors is not possible: at least 1 must agree, and there must be one more than that, so that one can be lost.`,
    )
  }
}
