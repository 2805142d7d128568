import { type Command, Option } from 'commander'
import { ofNetworks, ofOwner, withManual } from '../manual.ts'
import {
  collectAddresses,
  parseAddress,
  parseBlock,
  parseCount,
  withNetwork,
  withSending,
} from '../options.ts'
import { roles as roleNames } from '../roles/role-names.ts'
import type { GrantOptions } from './roles-grant.ts'
import type { ListOptions } from './roles-list.ts'
import type { RevokeOptions } from './roles-revoke.ts'
import type { RotateOptions } from './roles-rotate.ts'
import type { ThresholdOptions } from './roles-threshold.ts'

const rotation = `
Each run does what can be done now, and says what is left; run the same command again until it ends with 0.

1. The new key gets the role. An attestor is proposed first and can be added 14 days later, for 7 days.
2. You give the new key to the processes of the service that hold the old one, and restart them.
3. With --retire the old key loses the role. Wait twenty minutes after an operator's restart: what the old key signed
   can be used so long, and is refused once it has no role.

Owner: the old key offers SmartBalance and AttestorSet to the new one, which accepts both when the command runs with
it in DEPLOYER_PRIVATE_KEY. The old one goes on deciding the address of \`lanyard deploy\` on further networks.`

const delays = `
An attestor is proposed by the first run, and added by another one 14 to 21 days later, so that anyone who distrusts it
can leave first; later the proposal has lapsed. Operators and settlers get their role at once.`

const scanning = `
The contracts cannot be asked for lists: without --scan-from only those are shown who are named here or whose keys are
in the environment. Deployed contracts have events from their own first block on: take that one's number.`

const someone = '0x00000000000000000000000000000000000a11ce'
const another = '0x0000000000000000000000000000000000000b0b'

/** `lanyard roles list|grant|revoke|threshold|rotate`. */
export function addRoles(program: Command): void {
  const roles = program.command('roles').description('who acts in the smart balance on a network')
  const list = withNetwork(
    roles
      .command('list')
      .description('owner, attestors, operators and settlers, and what waits for its delay'),
  )
    .option('--operator <address>', 'look at this one too; may be repeated', collectAddresses)
    .option('--settler <address>', 'look at this one too; may be repeated', collectAddresses)
    .option('--attestor <address>', 'look at this one too; may be repeated', collectAddresses)
    .option('--scan-from <block>', 'look at everyone who ever got a role since this block', parseBlock)
  withManual(list, {
    about: scanning,
    environment: {
      ...ofNetworks,
      OPERATOR_PRIVATE_KEY: 'whose address is looked at; remote:0x… is enough',
      SETTLER_PRIVATE_KEY: 'the same',
      ATTESTOR_PRIVATE_KEYS: 'the same',
    },
    opensKeys: true,
    examples: ['roles list --network 8453 --scan-from 21000000'],
  }).action(async (options: ListOptions) => (await import('./roles-list.ts')).listRoles(options))
  const grant = withRole(withSending(roles.command('grant').description('give a role')))
  withManual(grant, {
    about: delays,
    environment: ofOwner,
    opensKeys: true,
    endings: { unfinished: 'an attestor is proposed, and waits for its 14 days' },
    examples: [`roles grant --network 8453 --role operator --address ${someone}`],
  }).action(async (options: GrantOptions) => (await import('./roles-grant.ts')).grantRole(options))
  const revoke = withRole(
    withSending(roles.command('revoke').description('take a role, or the proposal of an attestor, at once')),
  ).option('--force', 'also the attestor without whom too few are left to agree: settlement stops')
  withManual(revoke, {
    about: "\nThe guardian's key in DEPLOYER_PRIVATE_KEY revokes operators, too.",
    environment: ofOwner,
    opensKeys: true,
    examples: [`roles revoke --network 8453 --role settler --address ${someone}`],
  }).action(async (options: RevokeOptions) => (await import('./roles-revoke.ts')).revokeRole(options))
  const threshold = withSending(
    roles.command('threshold').description('how many attestors must agree; lowering waits 14 days'),
  ).requiredOption('--count <attestors>', 'one less than there are, at most', parseCount)
  withManual(threshold, {
    environment: ofOwner,
    opensKeys: true,
    endings: { unfinished: 'a lower one is proposed, and waits for its 14 days' },
    examples: ['roles threshold --network 8453 --count 2'],
  }).action(async (options: ThresholdOptions) => (await import('./roles-threshold.ts')).setThreshold(options))
  const rotate = withSending(
    roles.command('rotate').description('replace a key, in steps that may be days apart'),
  )
    .addOption(roleOption([...roleNames, 'owner']))
    .option('--from <address>', 'who has the role now; not for the owner', parseAddress)
    .requiredOption('--to <address>', 'who shall have it', parseAddress)
    .option('--retire', 'no process uses the old key any more: take its role')
  withManual(rotate, {
    about: rotation,
    environment: ofOwner,
    opensKeys: true,
    endings: { unfinished: 'a step is left, and the command says which' },
    examples: [
      `roles rotate --network 8453 --role operator --from ${someone} --to ${another}`,
      `roles rotate --network 8453 --role operator --from ${someone} --to ${another} --retire`,
    ],
  }).action(async (options: RotateOptions) => (await import('./roles-rotate.ts')).rotateRole(options))
}

const withRole = (command: Command): Command =>
  command
    .addOption(roleOption(roleNames))
    .requiredOption('--address <address>', 'whose; may be repeated', collectAddresses)

const roleOption = (names: readonly string[]) =>
  new Option('--role <role>', 'which role').choices(names).makeOptionMandatory()
