import { sessionKeysSurroundings } from '@lanyard/accounts'
import { predictSessionKeysAddress } from '@lanyard/onchain'
import { keccak256 } from 'viem'
import { expectedSessionKeys } from '../expected-code.ts'
import { finding } from '../finding.ts'
import type { Check } from '../subject.ts'

/** SessionKeys has this version's code, built for the contracts around accounts on this network. */
export const checkSessionKeys: Check = async ({ network, node }) => {
  const { sessionKeys, chainId } = network.config
  if (sessionKeys === undefined) return []
  const [code, expected] = await Promise.all([
    network.call((client) => client.getCode({ address: sessionKeys })),
    node.overrides ? expectedSessionKeys(network, sessionKeys) : undefined,
  ])
  const deploy = `\`lanyard deploy-session-keys --network ${chainId}\``
  if (code === undefined) {
    return [
      finding('SESSION_KEYS_NO_CODE', {
        message:
          'There is no contract at the address of SessionKeys, which becomes an owner of each account that grants a session.',
        expected: `SessionKeys at ${sessionKeys}`,
        seen: 'no code',
        fix: `${deploy}, or correct sessionKeys in NETWORKS_FILE.`,
      }),
    ]
  }
  if (expected === undefined || keccak256(code) === keccak256(expected)) return []
  return [
    finding('SESSION_KEYS_OTHER_CODE', {
      message: `The code at ${sessionKeys} is not SessionKeys of this version for this smart balance.`,
      expected: `code ${keccak256(expected)}, which belongs at ${predictSessionKeysAddress(sessionKeysSurroundings(network.config))}`,
      seen: `code ${keccak256(code)}`,
      fix: `${deploy} deploys the correct one, and prints the line for NETWORKS_FILE.`,
    }),
  ]
}
