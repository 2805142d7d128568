import { predictOwnershipAddress } from '@lanyard/onchain'
import { keccak256 } from 'viem'
import { ownershipSurroundings } from '../../ownership-surroundings.ts'
import { expectedOwnership } from '../expected-code.ts'
import { finding } from '../finding.ts'
import type { Check } from '../subject.ts'

/** Ownership has this version's code, built for the contracts around accounts on this network. */
export const checkOwnership: Check = async ({ network, node }) => {
  const { ownership, chainId } = network.config
  if (ownership === undefined) return []
  const [code, expected] = await Promise.all([
    network.call((client) => client.getCode({ address: ownership })),
    node.overrides ? expectedOwnership(network, ownership) : undefined,
  ])
  const deploy = `\`lanyard deploy-ownership --network ${chainId}\``
  if (code === undefined) {
    return [
      finding('OWNERSHIP_NO_CODE', {
        message:
          'There is no contract at the address of Ownership, which becomes a module of accounts: whoever deploys there could take them.',
        expected: `Ownership at ${ownership}`,
        seen: 'no code',
        fix: `${deploy}, or correct ownership in NETWORKS_FILE.`,
      }),
    ]
  }
  if (expected === undefined || keccak256(code) === keccak256(expected)) return []
  return [
    finding('OWNERSHIP_OTHER_CODE', {
      message: `The code at ${ownership} is not Ownership of this version for these SessionKeys and this smart balance.`,
      expected: `code ${keccak256(expected)}, which belongs at ${predictOwnershipAddress(ownershipSurroundings(network.config))}`,
      seen: `code ${keccak256(code)}`,
      fix: `${deploy} deploys the correct one, and prints the line for NETWORKS_FILE.`,
    }),
  ]
}
