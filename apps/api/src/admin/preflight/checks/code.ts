import { epochsAddress } from '@lanyard/onchain'
import { type Address, type Hex, keccak256, slice } from 'viem'
import { type AccountModule, ownershipModule, sessionKeysModule } from '../../account-modules.ts'
import { runConstructor } from '../expected-code.ts'
import { type Finding, type Findings, finding } from '../finding.ts'
import type { Check, Subject } from '../subject.ts'

type What = Omit<Finding, 'severity' | 'seen'>

/** This address has this code. */
interface CodeClaim {
  readonly address: Address
  /** As in findings. */
  readonly name: string
  /** keccak256 of each code that is right. Absent: any code is. */
  readonly hashes?: readonly Hex[] | undefined
  readonly missing: What
  readonly other?: What
}

/** @returns what is wrong with the code at an address; nothing if the claim holds */
export async function checkCode({ network }: Subject, claim: CodeClaim): Promise<Findings> {
  const { address, name, hashes, missing, other = missing } = claim
  const code = await network.call((client) => client.getCode({ address }))
  if (code === undefined) {
    const { code: kind, ...what } = missing
    return finding(kind, { expected: `${name} at ${address}`, seen: 'no code', ...what })
  }
  const hash = keccak256(code)
  if (hashes === undefined || hashes.includes(hash)) return []
  const { code: kind, ...what } = other
  return finding(kind, { seen: `code ${hash}`, ...what })
}

/** Epochs is where the other contracts read it. Its address follows from its code, so nothing else can be there. */
export const checkEpochs: Check = async (subject) => {
  const { ownership, sessionKeys, smartBalance, chainId } = subject.network.config
  if (!ownership && !sessionKeys && !smartBalance) return []
  const missing = {
    code: 'EPOCHS_NO_CODE',
    message: 'Epochs is missing: no session can be granted or used, and no debit can be collected.',
    fix: `\`lanyard deploy-session-keys --network ${chainId}\` and the other commands that deploy contracts deploy it, too.`,
  } as const
  return checkCode(subject, { address: epochsAddress, name: 'Epochs', missing })
}

/** SessionKeys has this version's code, built for the contracts around accounts on this network. */
export const checkSessionKeys: Check = (subject) =>
  checkModule(subject, sessionKeysModule, {
    codes: ['SESSION_KEYS_NO_CODE', 'SESSION_KEYS_OTHER_CODE'],
    danger: 'which becomes an owner of each account that grants a session',
    around: 'this smart balance',
  })

/** Ownership has this version's code, built for the contracts around accounts on this network. */
export const checkOwnership: Check = (subject) =>
  checkModule(subject, ownershipModule, {
    codes: ['OWNERSHIP_NO_CODE', 'OWNERSHIP_OTHER_CODE'],
    danger: 'which becomes a module of accounts: whoever deploys there could take them',
    around: 'these SessionKeys and this smart balance',
  })

interface ModuleFindings {
  readonly codes: readonly [missing: Finding['code'], other: Finding['code']]
  readonly danger: string
  readonly around: string
}

async function checkModule(
  subject: Subject,
  { name, setting, command, deploymentOn }: AccountModule,
  { codes, danger, around }: ModuleFindings,
): Promise<Findings> {
  const { network, node } = subject
  const address = network.config[setting]
  if (address === undefined) return []
  const { address: belongsAt, data } = deploymentOn(network.config)
  const expected = node.overrides
    ? keccak256(await runConstructor(network, address, slice(data, 32)))
    : undefined
  const deploy = `\`lanyard ${command} --network ${network.chainId}\``
  return checkCode(subject, {
    ...{ address, name, hashes: expected && [expected] },
    missing: {
      code: codes[0],
      message: `There is no contract at the address of ${name}, ${danger}.`,
      fix: `${deploy}, or correct ${setting} in NETWORKS_FILE.`,
    },
    other: {
      code: codes[1],
      message: `The code at ${address} is not ${name} of this version for ${around}.`,
      expected: `code ${expected}, which belongs at ${belongsAt}`,
      fix: `${deploy} deploys the correct one, and prints the line for NETWORKS_FILE.`,
    },
  })
}
