import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import type { Address } from 'viem'
import { type Finding, finding } from '../finding.ts'
import type { Subject } from '../subject.ts'

/** Checks that the service's keys have their roles on chain. */
export async function checkRoles({ network, holders }: Subject, verifier: Address): Promise<Finding[]> {
  const { smartBalance, chainId } = network.config
  if (smartBalance === undefined) return []
  const contract = { address: smartBalance, abi: smartBalanceAbi } as const
  const grant = (role: string, address: Address) =>
    `\`lanyard roles grant --network ${chainId} --role ${role} --address ${address}\``
  const { operators, settlers, attestors } = holders
  const found = await network.call((client) =>
    Promise.all([
      ...operators.map(async (args) => {
        const has = await client.readContract({ ...contract, functionName: 'isOperator', args: [args] })
        return has
          ? undefined
          : without('OPERATOR_WITHOUT_ROLE', 'operator', 'its signatures are rejected', args)
      }),
      ...settlers.map(async (args) => {
        const has = await client.readContract({ ...contract, functionName: 'isSettler', args: [args] })
        return has ? undefined : without('SETTLER_WITHOUT_ROLE', 'settler', 'orders are not collected', args)
      }),
      ...attestors.map(async (args) => {
        const has = await client.readContract({
          address: verifier,
          abi: attestorSetAbi,
          functionName: 'isAttestor',
          args: [args],
        })
        return has
          ? undefined
          : without('ATTESTOR_WITHOUT_ROLE', 'attestor', 'its attestations do not count', args)
      }),
    ]),
  )
  function without(
    code: 'OPERATOR_WITHOUT_ROLE' | 'SETTLER_WITHOUT_ROLE' | 'ATTESTOR_WITHOUT_ROLE',
    role: string,
    consequence: string,
    address: Address,
  ): Finding {
    return finding(code, {
      message: `The configured ${role} does not have the role: ${consequence}.`,
      expected: `${address} to be ${role}`,
      seen: 'it is not',
      fix: grant(role, address),
    })
  }
  return found.filter((one) => one !== undefined)
}
