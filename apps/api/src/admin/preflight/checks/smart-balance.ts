import { defaultDeployment } from '@lanyard/accounts'
import { attestorSetAbi, smartBalanceAbi } from '@lanyard/onchain'
import { pauseBudget, proposalLifetime } from '@lanyard/smart-balance'
import {
  type Address,
  ContractFunctionExecutionError,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
} from 'viem'
import { isPublicDevelopmentKey } from '../../../platform/keys/role-keys.ts'
import { expectedAttestorSet, expectedSmartBalance } from '../expected-code.ts'
import { type Finding, type Findings, finding, findingIf } from '../finding.ts'
import { ifContractMatches } from '../not-that-contract.ts'
import type { Check, Subject } from '../subject.ts'
import { checkProbe } from './probe.ts'
import { checkTreasury } from './treasury.ts'

/**
 * SmartBalance has this version's code, refers to these contracts, and gives the service's keys the roles
 * that they need.
 */
export const checkSmartBalance: Check = async (subject) => {
  const { network } = subject
  const { smartBalance, chainId } = network.config
  if (smartBalance === undefined) {
    return finding('SMART_BALANCE_ABSENT', {
      message: 'The network does not take part in the smart balance.',
      fix: `\`lanyard deploy --network ${chainId} --outflow-cap <tokens>\` deploys it, and prints the lines to add.`,
    })
  }
  const code = await network.call((client) => client.getCode({ address: smartBalance }))
  if (code === undefined) {
    return finding('SMART_BALANCE_NO_CODE', {
      message: 'There is no contract at the address of SmartBalance: deposits would be lost.',
      expected: `SmartBalance at ${smartBalance}`,
      seen: 'no code',
      fix: `\`lanyard deploy --network ${chainId} --outflow-cap <tokens>\`, or correct smartBalance in NETWORKS_FILE.`,
    })
  }
  const setting = await ifContractMatches(readSetting(subject, smartBalance))
  const other = (expected?: Hex) =>
    finding('SMART_BALANCE_OTHER_CODE', {
      message: `The code at ${smartBalance} is not SmartBalance of this version.`,
      expected: expected === undefined ? 'answers of SmartBalance' : `code ${keccak256(expected)}`,
      seen: `code ${keccak256(code)}`,
      fix: `Correct smartBalance in NETWORKS_FILE, run the version that deployed it, or deploy this one: \`lanyard deploy --network ${chainId} --outflow-cap <tokens>\`.`,
    })
  if (!setting) return other()
  if (subject.node.overrides) {
    // Built for the settings that the contract itself reports: a wrong setting is a separate finding.
    const expected = await expectedSmartBalance(network, smartBalance, setting)
    if (keccak256(code) !== keccak256(expected)) return other(expected)
  }
  const wrong = settingFindings(subject, smartBalance, setting)
  if (wrong.length > 0) return wrong // its money and roles are then not checked
  return [
    ...(await checkAttestorSet(subject, smartBalance, setting)),
    ...(await checkStopping(subject, setting)),
    ...(await checkProbe(subject, smartBalance)),
    ...(await checkTreasury(subject, smartBalance)),
  ]
}

type Setting = Awaited<ReturnType<typeof readSetting>>

async function readSetting({ network }: Subject, address: Address) {
  const contract = { address, abi: smartBalanceAbi } as const
  const [token, entryPoint, module, owner, verifier, verifierReadyAt, settlementPausedUntil] =
    await network.call((client) =>
      Promise.all([
        client.readContract({ ...contract, functionName: 'token' }),
        client.readContract({ ...contract, functionName: 'ENTRY_POINT' }),
        client.readContract({ ...contract, functionName: 'SAFE_4337_MODULE' }),
        client.readContract({ ...contract, functionName: 'owner' }),
        client.readContract({ ...contract, functionName: 'verifier' }),
        client.readContract({ ...contract, functionName: 'verifierReadyAt' }),
        client.readContract({ ...contract, functionName: 'settlementPausedUntil' }),
      ]),
    )
  return { token, entryPoint, module, owner, verifier, verifierReadyAt, settlementPausedUntil }
}

function settingFindings({ network }: Subject, address: Address, setting: Setting): Findings {
  const { settlementToken, entryPoint, local, chainId } = network.config
  const { token, owner } = setting
  const fix = `Correct network ${chainId} in NETWORKS_FILE: the settings of a deployed SmartBalance cannot be changed.`
  const unlessEqual = (
    code: Finding['code'],
    expected: Address | undefined,
    seen: Address,
    message: string,
  ): Findings =>
    expected === undefined || isAddressEqual(seen, expected)
      ? []
      : finding(code, { message, expected, seen, fix })
  return [
    ...unlessEqual(
      'SMART_BALANCE_TOKEN',
      settlementToken?.address,
      token,
      'SmartBalance holds another token than the configured one.',
    ),
    ...unlessEqual(
      'SMART_BALANCE_ENTRY_POINT',
      entryPoint,
      setting.entryPoint,
      'SmartBalance is the paymaster of another EntryPoint.',
    ),
    ...unlessEqual(
      'SMART_BALANCE_MODULE',
      defaultDeployment.module,
      setting.module,
      'SmartBalance checks signatures for another Safe4337Module: no debit could be proven.',
    ),
    ...findingIf(!local && isPublicDevelopmentKey(owner), 'SMART_BALANCE_OWNER_PUBLIC', {
      message: 'The owner of SmartBalance has a public development key: anyone can take the liquidity.',
      expected: 'a key that nobody else knows',
      seen: owner,
      fix: `\`lanyard roles rotate --network ${chainId} --role owner --to <address>\` (${address}), at once.`,
    }),
  ]
}

async function checkAttestorSet(
  subject: Subject,
  smartBalance: Address,
  { verifier, verifierReadyAt }: Setting,
): Promise<Findings> {
  const { network, node } = subject
  const { chainId } = network.config
  const code = (await network.call((client) => client.getCode({ address: verifier }))) ?? '0x'
  const expected = node.overrides ? await expectedAttestorSet(network, verifier) : code
  if (keccak256(code) !== keccak256(expected)) {
    return finding('ATTESTOR_SET_OTHER_CODE', {
      message: `The verifier of SmartBalance, ${verifier}, is not the AttestorSet of this version, so others may decide about debits.`,
      expected: `code ${keccak256(expected)}`,
      seen: code === '0x' ? 'no code' : `code ${keccak256(code)}`,
      fix: `Look at \`lanyard roles list --network ${chainId}\`; another verifier waits 14 days (proposeVerifier, applyVerifier).`,
    })
  }
  const set = { address: verifier, abi: attestorSetAbi } as const
  const [thresholdReadyAt, threshold, count, { timestamp }] = await network.call((client) =>
    Promise.all([
      client.readContract({ ...set, functionName: 'thresholdReadyAt' }),
      client.readContract({ ...set, functionName: 'threshold' }),
      client.readContract({ ...set, functionName: 'attestorCount' }),
      client.getBlock(),
    ]),
  )
  const proposals = [
    { readyAt: verifierReadyAt, message: 'Another verifier is proposed for SmartBalance.' },
    { readyAt: thresholdReadyAt, message: 'A lower threshold of attestors is proposed.' },
  ]
  const changes = proposals.flatMap(({ readyAt, message }) =>
    findingIf(readyAt !== 0 && timestamp <= BigInt(readyAt + proposalLifetime), 'ATTESTOR_SET_CHANGES', {
      message,
      expected: 'no pending change of who decides about debits',
      seen: `can be applied from ${isoTime(readyAt)} to ${isoTime(readyAt + proposalLifetime)}`,
      fix: `If none of your people proposed it, run \`lanyard roles list --network ${chainId}\`, and cancel it.`,
    }),
  )
  const tooFew = findingIf(!network.config.local && count < 2n * threshold, 'ATTESTORS_TOO_FEW', {
    message: `If ${threshold} attestors are stolen and removed, settlement stops until others are added, which takes 14 days.`,
    expected: `at least ${2n * threshold} attestors, of which ${threshold} must agree`,
    seen: String(count),
    fix: `\`lanyard roles grant --network ${chainId} --role attestor --address <address>\``,
  })
  return [...changes, ...tooFew, ...(await checkRoles(subject, smartBalance, verifier))]
}

/** Formats Unix seconds. */
const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** Checks that the service's keys have their roles on chain. */
async function checkRoles(
  { network, holders }: Subject,
  smartBalance: Address,
  verifier: Address,
): Promise<Findings> {
  const { chainId } = network.config
  const balance = { address: smartBalance, abi: smartBalanceAbi } as const
  const set = { address: verifier, abi: attestorSetAbi } as const
  const missing = await network.call((client) => {
    const without = async (
      code: 'OPERATOR_WITHOUT_ROLE' | 'SETTLER_WITHOUT_ROLE' | 'ATTESTOR_WITHOUT_ROLE',
      consequence: string,
      address: Address,
      has: Promise<boolean>,
    ): Promise<Findings> => {
      const role = code.replace('_WITHOUT_ROLE', '').toLowerCase()
      return findingIf(!(await has), code, {
        message: `The configured ${role} does not have the role: ${consequence}.`,
        expected: `${address} to be ${role}`,
        seen: 'it is not',
        fix: `\`lanyard roles grant --network ${chainId} --role ${role} --address ${address}\``,
      })
    }
    return Promise.all([
      ...holders.operators.map((one) => {
        const has = client.readContract({ ...balance, functionName: 'isOperator', args: [one] })
        return without('OPERATOR_WITHOUT_ROLE', 'its signatures are rejected', one, has)
      }),
      ...holders.settlers.map((one) => {
        const has = client.readContract({ ...balance, functionName: 'isSettler', args: [one] })
        return without('SETTLER_WITHOUT_ROLE', 'orders are not collected', one, has)
      }),
      ...holders.attestors.map((one) => {
        const has = client.readContract({ ...set, functionName: 'isAttestor', args: [one] })
        return without('ATTESTOR_WITHOUT_ROLE', 'its attestations do not count', one, has)
      }),
    ])
  })
  return missing.flat()
}

/** OpenZeppelin's TimelockController. */
const timelockAbi = parseAbi(['function getMinDelay() view returns (uint256)'])

/** The maximum delay that leaves the owner half a day of a pause to act in, seconds. */
const maxDelay = 86_400n

/**
 * Whether stolen attestors and settlers can be stopped: the pauser stops settlement for at most 36 hours, in
 * which the owner must replace them.
 */
async function checkStopping(
  { network }: Subject,
  { owner, settlementPausedUntil }: { readonly owner: Address; readonly settlementPausedUntil: number },
): Promise<Findings> {
  const { chainId } = network.config
  const [delay, { timestamp }] = await network.call((client) =>
    Promise.all([
      client
        .readContract({ address: owner, abi: timelockAbi, functionName: 'getMinDelay' })
        .catch((error) => {
          if (error instanceof ContractFunctionExecutionError) return 0n // not a timelock
          throw error
        }),
      client.getBlock(),
    ]),
  )
  return [
    ...findingIf(delay > maxDelay, 'TIMELOCK_TOO_LONG', {
      message: `The owner of SmartBalance acts after ${delay} seconds, but stolen attestors can be paused for only ${pauseBudget}.`,
      expected: `a timelock of at most ${maxDelay} seconds (24 hours)`,
      seen: `${owner} with ${delay} seconds`,
      fix: 'Shorten its delay (updateDelay).',
    }),
    ...findingIf(timestamp < BigInt(settlementPausedUntil), 'SETTLEMENT_PAUSED', {
      message: 'Settlement is paused: no debit is collected.',
      expected: 'settlement to continue',
      seen: `paused until ${isoTime(settlementPausedUntil)}`,
      fix: `If none of your people paused it, name another pauser: \`lanyard pauser set --network ${chainId} --address <address>\`.`,
    }),
  ]
}
