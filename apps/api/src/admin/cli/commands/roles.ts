import { attestorSetAbi } from '@lanyard/onchain'
import { type Command, Option } from 'commander'
import { type Address, encodeFunctionData, isAddressEqual, zeroAddress } from 'viem'
import { ConfigurationError } from '../../../platform/environment/configuration-error.ts'
import { CliError } from '../cli-error.ts'
import { CommandEnd, exitCodes } from '../exit-codes.ts'
import { ofNetworks, ofOwner, withManual } from '../manual.ts'
import {
  collectAddresses,
  type NetworkOptions,
  parseAddress,
  parseBlock,
  parseCount,
  type SendOptions,
  withNetwork,
  withSending,
} from '../options.ts'
import { findRoleHolders, type NamedHolders } from '../role-holders.ts'
import { assertGrantable } from '../roles/assert-grantable.ts'
import { findHolders } from '../roles/find-holders.ts'
import {
  type Holding,
  lapsesAt,
  type RoleSetting,
  readHolding,
  readRoleSetting,
} from '../roles/read-roles.ts'
import { callToGrant, callToRevoke, leftToGrant } from '../roles/role-calls.ts'
import { type Role, roles as roleNames, roles, variableOf } from '../roles/role-names.ts'
import { rotateOwner } from '../roles/rotate-owner.ts'
import type { OwnerCall } from '../send-as-owner.ts'
import { openAsOwner, openSmartBalance } from '../smart-balance-session.ts'
import { formatTime } from '../times.ts'

const rotation = `
Each run does what can be done now, and says what is left. Run the same command again until it ends with 0.

1. The new key gets the role. An attestor is proposed first, and can be added 14 days later, for 7 days.
2. Give the new key to the processes of the service that have the old one, and restart them.
3. With --retire the old key loses the role. After an operator's restart, wait twenty minutes first: signatures of the
   old key can be used for that long, and are refused once it has no role.

Owner: the old key offers SmartBalance and AttestorSet to the new one. The new key accepts both when the command runs
with it in DEPLOYER_PRIVATE_KEY. The old key still determines the address of \`lanyard deploy\` on other networks.`

const delays = `
For an attestor, the first run proposes it, and a second run 14 to 21 days later adds it, so that anyone who distrusts it
can leave first. After 21 days the proposal lapses. Operators and settlers get their role at once.`

const scanning = `
The contracts have no lists of their role holders. Without --scan-from, the command shows only those that are named here
or whose keys are in the environment. For --scan-from, use the block in which the contracts were deployed.`

const someone = '0x00000000000000000000000000000000000a11ce'
const another = '0x0000000000000000000000000000000000000b0b'

/** `lanyard roles list|grant|revoke|threshold|rotate`. */
export function addRoles(group: Command): void {
  const roles = group
  const list = withNetwork(
    roles
      .command('list')
      .description('show owner, attestors, operators and settlers, and changes that wait for their delay'),
  )
    .option('--operator <address>', 'also check this address; may be repeated', collectAddresses)
    .option('--settler <address>', 'also check this address; may be repeated', collectAddresses)
    .option('--attestor <address>', 'also check this address; may be repeated', collectAddresses)
    .option('--scan-from <block>', 'check everyone who got a role since this block', parseBlock)
  withManual(list, {
    about: scanning,
    environment: {
      ...ofNetworks,
      OPERATOR_PRIVATE_KEY: 'its address is checked; remote:0x… is enough',
      SETTLER_PRIVATE_KEY: 'the same',
      ATTESTOR_PRIVATE_KEYS: 'the same',
    },
    opensKeys: true,
    examples: ['roles list --network 8453 --scan-from 21000000'],
  }).action((options: ListOptions) => listRoles(options))
  const grant = withRole(withSending(roles.command('grant').description('grant a role')))
  withManual(grant, {
    about: delays,
    environment: ofOwner,
    opensKeys: true,
    endings: { unfinished: 'an attestor is proposed, and waits for its 14 days' },
    examples: [`roles grant --network 8453 --role operator --address ${someone}`],
  }).action((options: GrantOptions) => grantRole(options))
  const revoke = withRole(
    withSending(
      roles.command('revoke').description('revoke a role, or cancel the proposal of an attestor, at once'),
    ),
  ).option('--force', 'also remove an attestor if too few are left to agree: settlement then stops')
  withManual(revoke, {
    about: "\nThe pauser's key in DEPLOYER_PRIVATE_KEY can also revoke operators.",
    environment: ofOwner,
    opensKeys: true,
    examples: [`roles revoke --network 8453 --role settler --address ${someone}`],
  }).action((options: RevokeOptions) => revokeRole(options))
  const threshold = withSending(
    roles.command('threshold').description('set how many attestors must agree; a lower number takes 14 days'),
  ).requiredOption('--count <attestors>', 'at most one less than the number of attestors', parseCount)
  withManual(threshold, {
    environment: ofOwner,
    opensKeys: true,
    endings: { unfinished: 'a lower threshold is proposed, and waits for its 14 days' },
    examples: ['roles threshold --network 8453 --count 2'],
  }).action((options: ThresholdOptions) => setThreshold(options))
  const rotate = withSending(
    roles.command('rotate').description('replace a key, in steps that may be days apart'),
  )
    .addOption(roleOption([...roleNames, 'owner']))
    .option('--from <address>', 'the current holder of the role; not for the owner', parseAddress)
    .requiredOption('--to <address>', 'the new holder', parseAddress)
    .option('--retire', 'revoke the role of the old key, once no process uses it any more')
  withManual(rotate, {
    about: rotation,
    environment: ofOwner,
    opensKeys: true,
    endings: { unfinished: 'a step is left, and the command says which' },
    examples: [
      `roles rotate --network 8453 --role operator --from ${someone} --to ${another}`,
      `roles rotate --network 8453 --role operator --from ${someone} --to ${another} --retire`,
    ],
  }).action((options: RotateOptions) => rotateRole(options))
}

const withRole = (command: Command): Command =>
  command
    .addOption(roleOption(roleNames))
    .requiredOption('--address <address>', 'the holder; may be repeated', collectAddresses)

const roleOption = (names: readonly string[]) =>
  new Option('--role <role>', 'which role').choices(names).makeOptionMandatory()

/** As parsed from the command line. */
interface ListOptions extends NetworkOptions, NamedHolders {
  readonly scanFrom?: bigint
}

/** `lanyard roles list`. */
async function listRoles(options: ListOptions): Promise<void> {
  const session = await openSmartBalance(options)
  const { env, network, contract, output } = session
  const setting = await readRoleSetting(session)
  const scanned =
    options.scanFrom === undefined ? undefined : await findHolders(session, setting, options.scanFrom)
  const named = await findRoleHolders(network.config, env, options)
  const [operators = [], settlers = [], attestors = []] = await Promise.all(
    roles.map((role) =>
      Promise.all(
        unique([...named[`${role}s`], ...(scanned?.get(role) ?? [])]).map((address) =>
          readHolding(session, setting, role, address),
        ),
      ),
    ),
  )
  for (const line of describeSetting(contract.address, setting)) output.say(line)
  for (const holding of [...operators, ...settlers, ...attestors]) output.say(`  ${describe(holding)}`)
  output.finish({
    ...{ network: network.chainId, smartBalance: contract.address, complete: scanned !== undefined },
    ...setting,
    ...{ operators, settlers, attestors },
  })
}

const unique = (addresses: readonly Address[]): Address[] => [...new Set(addresses)]

function describeSetting(smartBalance: Address, setting: RoleSetting): string[] {
  const { owner, pauser, pendingOwner, verifier, threshold, attestorCount, pendingThreshold } = setting
  const pending = isAddressEqual(pendingOwner, zeroAddress) ? '' : `, offered to ${pendingOwner}`
  return [
    `SmartBalance ${smartBalance}, owner ${owner}${pending}`,
    isAddressEqual(pauser, zeroAddress) ? '  no pauser' : `  pauser ${pauser}`,
    `AttestorSet ${verifier}, ${threshold} of ${attestorCount} must agree`,
    ...(pendingThreshold
      ? [
          `  only ${pendingThreshold.threshold} must, from ${formatTime(pendingThreshold.readyAt)} on, if applied`,
        ]
      : []),
  ]
}

function describe({ role, address, active, readyAt }: Holding): string {
  const waits = readyAt === null ? '' : `, can be added from ${formatTime(readyAt)} on`
  return `${role.padEnd(9)} ${address} ${active ? 'has the role' : `has it NOT${waits}`}`
}

/** As parsed from the command line. */
interface GrantOptions extends SendOptions {
  readonly role: Role
  readonly address: readonly Address[]
}

/** `lanyard roles grant`. */
async function grantRole(options: GrantOptions): Promise<void> {
  const { role, address: addresses, dryRun } = options
  const session = await openAsOwner(options)
  const { output, send, finish } = session
  const read = async () => {
    const setting = await readRoleSetting(session)
    const holdings = await Promise.all(
      addresses.map((address) => readHolding(session, setting, role, address)),
    )
    return { setting, holdings }
  }
  const before = await read()
  await assertGrantable(session, before.setting, role, addresses)
  const sent = await send(
    before.holdings.flatMap((holding) => callToGrant(session, before.setting, holding) ?? []),
  )
  const after = dryRun ? before : await read()
  const left = after.holdings.flatMap((holding) => leftToGrant(after.setting, holding) ?? [])
  for (const line of left) output.say(`Left to do: ${line}`)
  if (sent.length === 0 && left.length === 0) output.say('Nothing to do: the roles are so already.')
  finish({ role, holdings: after.holdings, sent, left })
  if (left.length > 0 && !dryRun) throw new CommandEnd(exitCodes.unfinished)
}

/** As parsed from the command line. */
interface RevokeOptions extends SendOptions {
  readonly role: Role
  readonly address: readonly Address[]
  readonly force?: boolean
}

/** `lanyard roles revoke`: takes effect immediately, since it may be urgent. */
async function revokeRole(options: RevokeOptions): Promise<void> {
  const { role, address: addresses } = options
  const session = await openAsOwner(options, { caller: role === 'operator' ? 'pauser' : 'owner' })
  const setting = await readRoleSetting(session)
  const holdings = await Promise.all(addresses.map((address) => readHolding(session, setting, role, address)))
  if (!options.force) assertEnoughAttestors(setting, holdings)
  const sent = await session.send(
    holdings.flatMap((holding) => callToRevoke(session, setting, holding) ?? []),
  )
  if (sent.length === 0) session.output.say('Nothing to do: the roles are so already.')
  session.finish({ role, sent })
}

/** The contract would allow it, and the holder of the last keys may be a thief. */
function assertEnoughAttestors({ threshold, attestorCount }: RoleSetting, revoked: readonly Holding[]): void {
  const left = attestorCount - revoked.filter(({ role, active }) => role === 'attestor' && active).length
  if (left === attestorCount || left >= threshold) return
  throw new CliError(
    'TOO_FEW_ATTESTORS',
    `${threshold} attestors must agree and ${left} would be left: nothing could be settled. Add others first, lower the threshold, or say --force.`,
  )
}

/** As parsed from the command line. */
interface RotateOptions extends SendOptions {
  readonly role: Role | 'owner'
  readonly from?: Address
  readonly to: Address
  readonly retire?: boolean
}

/**
 * `lanyard roles rotate`: its progress is read from the chain each time, so that it may be interrupted at any
 * point.
 */
async function rotateRole(options: RotateOptions): Promise<void> {
  const { role, from, to } = options
  if (role === 'owner') return rotateOwner(options)
  if (from === undefined || isAddressEqual(from, to)) {
    throw new ConfigurationError('The rotation', [
      from === undefined ? '--from: needed, who has the role now' : '--to: the same as --from',
    ])
  }
  const session = await openAsOwner(options)
  const { output, send, finish } = session
  const read = async () => {
    const setting = await readRoleSetting(session)
    const [old, next] = await Promise.all([
      readHolding(session, setting, role, from),
      readHolding(session, setting, role, to),
    ])
    return { setting, old, next }
  }
  let now = await read()
  await assertGrantable(session, now.setting, role, [to])
  const grant = callToGrant(session, now.setting, now.next)
  const sent = await send(grant ? [grant] : [])
  if (sent.length > 0 && !options.dryRun) now = await read()
  // In a dry run, the new key may have no role yet; retiring the old key is then a later step.
  if (now.next.active && options.retire) {
    const revocation = callToRevoke(session, now.setting, now.old)
    sent.push(...(await send(revocation ? [revocation] : [])))
    if (!options.dryRun) now = await read()
  }
  const left = [
    ...[leftToGrant(now.setting, now.next)].filter((line) => line !== undefined),
    ...(now.old.active ? [leftToRetire(role, from, to)] : []),
  ]
  for (const line of left) output.say(`Left to do: ${line}`)
  if (left.length === 0) output.say(`Done: ${to} is ${role}, and ${from} is not.`)
  finish({ role, from: now.old, to: now.next, sent, left })
  if (left.length > 0 && !options.dryRun) throw new CommandEnd(exitCodes.unfinished)
}

const leftToRetire = (role: Role, from: Address, to: Address) =>
  `once every process has the key of ${to} in ${variableOf[role]} in place of ${from}'s, run this again with --retire.`

/** As parsed from the command line. */
interface ThresholdOptions extends SendOptions {
  readonly count: number
}

/** `lanyard roles threshold`: raising is immediate, lowering takes two runs, 14 to 21 days apart. */
async function setThreshold(options: ThresholdOptions): Promise<void> {
  const { count, dryRun } = options
  const session = await openAsOwner(options)
  const before = await readRoleSetting(session)
  if (count >= before.attestorCount) {
    throw new CliError(
      'TOO_FEW_ATTESTORS',
      `There are ${before.attestorCount} attestors: at most ${before.attestorCount - 1} can be asked for, so that one can be lost.`,
    )
  }
  const call = nextCall(before, count)
  const sent = await session.send(call ? [call] : [])
  const after = dryRun ? before : await readRoleSetting(session)
  const left = leftToSet(after, count)
  if (left !== undefined) session.output.say(`Left to do: ${left}`)
  else if (!call) session.output.say(`Nothing to do: ${count} must agree already.`)
  session.finish({ threshold: after.threshold, pendingThreshold: after.pendingThreshold, sent, left })
  if (left !== undefined && !dryRun) throw new CommandEnd(exitCodes.unfinished)
}

function nextCall(
  { verifier, threshold, pendingThreshold, now }: RoleSetting,
  count: number,
): OwnerCall | undefined {
  const call = (description: string, data: OwnerCall['data']) => ({ description, to: verifier, data })
  const abi = attestorSetAbi
  if (count > threshold) {
    const data = encodeFunctionData({ abi, functionName: 'raiseThreshold', args: [BigInt(count)] })
    return call(`raise the threshold to ${count}`, data)
  }
  if (count === threshold) return undefined
  if (pendingThreshold?.threshold !== count) {
    const data = encodeFunctionData({ abi, functionName: 'proposeThreshold', args: [BigInt(count)] })
    return call(`propose a threshold of ${count}`, data)
  }
  if (pendingThreshold.readyAt > now) return undefined
  return call(`lower the threshold to ${count}`, encodeFunctionData({ abi, functionName: 'applyThreshold' }))
}

function leftToSet({ threshold, pendingThreshold, now }: RoleSetting, count: number): string | undefined {
  if (threshold === count) return undefined
  if (pendingThreshold?.threshold !== count) return `the threshold is ${threshold}.`
  return pendingThreshold.readyAt > now
    ? `it can be lowered to ${count} from ${formatTime(pendingThreshold.readyAt)} until ${formatTime(lapsesAt(pendingThreshold.readyAt))}: run this again then.`
    : `it can be lowered to ${count} now: run this again.`
}
