import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import { type Address, encodeFunctionData } from 'viem'
import type { OwnerCall } from '../send-as-owner.ts'
import type { SmartBalanceSession } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'
import { type Holding, lapsesAt, type RoleSetting } from './read-roles.ts'

type On = Pick<SmartBalanceSession, 'contract'>

/**
 * The next call to give `holding` its role; undefined when it has the role or has to wait. Attestors are
 * announced for PROPOSAL_NOTICE, so that users who distrust the new one can leave first; the other roles are
 * not.
 */
export function callToGrant({ contract }: On, setting: RoleSetting, holding: Holding): OwnerCall | undefined {
  const { role, address, active, readyAt } = holding
  if (active) return undefined
  if (role !== 'attestor') return roleCall(contract.address, holding, true)
  if (readyAt === null)
    return attestorCall(setting, 'proposeAttestor', address, `propose ${address} as attestor`)
  if (readyAt > setting.now) return undefined
  return attestorCall(setting, 'addAttestor', address, `make ${address} attestor`)
}

/**
 * The call that removes the role, or its proposal, immediately; undefined when there is nothing to remove.
 */
export function callToRevoke(
  { contract }: On,
  setting: RoleSetting,
  holding: Holding,
): OwnerCall | undefined {
  const { role, address, active, readyAt } = holding
  if (!active && readyAt === null) return undefined
  if (role !== 'attestor') return roleCall(contract.address, holding, false)
  const description = active
    ? `revoke the role attestor of ${address}`
    : `cancel the proposal of ${address} as attestor`
  return attestorCall(setting, 'removeAttestor', address, description)
}

/** Describes what is still missing before a holding gets its role; undefined: nothing. */
export function leftToGrant(
  setting: RoleSetting,
  { role, address, active, readyAt }: Holding,
): string | undefined {
  if (active) return undefined
  if (readyAt === null) {
    return role === 'attestor'
      ? `${address} still has to be proposed as attestor. It can be added 14 days later, for 7 days.`
      : `${address} still has to be made ${role}.`
  }
  return readyAt > setting.now
    ? `${address} can be added as attestor from ${formatTime(readyAt)} until ${formatTime(lapsesAt(readyAt))}: run this again then.`
    : `${address} can be added as attestor now: run this again.`
}

const roleCall = (to: Address, { role, address }: Holding, allowed: boolean): OwnerCall => ({
  description: allowed ? `make ${address} ${role}` : `revoke the role ${role} of ${address}`,
  to,
  data: encodeFunctionData({
    abi: smartBalanceAbi,
    functionName: role === 'operator' ? 'setOperator' : 'setSettler',
    args: [address, allowed],
  }),
})

const attestorCall = (
  { verifier }: RoleSetting,
  functionName: 'proposeAttestor' | 'addAttestor' | 'removeAttestor',
  attestor: Address,
  description: string,
): OwnerCall => ({
  description,
  to: verifier,
  data: encodeFunctionData({ abi: attestorSetAbi, functionName, args: [attestor] }),
})
