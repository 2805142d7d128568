/** The page that takes an exported key: opened from a disk, it signs a delegation, or moves everything to another account. */
import { delegatedDeployment, findKnownDelegate, readDelegation } from '@lanyard/accounts'
import { type Address, createWalletClient, http, isAddressEqual } from 'viem'
import { type Connection, connectToAny } from '../connect.ts'
import { dropFailing } from '../holdings/drop-failing.ts'
import { type Move, planMoves } from '../holdings/plan-moves.ts'
import { readHoldings } from '../holdings/read-holdings.ts'
import type { KitNetwork } from '../kit/recovery-kit.ts'
import { byId, chosen, make } from '../page/dom.ts'
import { startLanguage } from '../page/language.ts'
import { createPart } from '../page/part.ts'
import { keyPayer } from '../payer/payer.ts'
import { readAddress } from '../read-address.ts'
import { RecoveryError } from '../recovery-error.ts'
import { sendAndWait } from '../send/send-transaction.ts'
import { accountOfSecret, type SecretAccount } from '../signers/account-of-secret.ts'
import { shortAmount, t } from '../words.ts'

/** A network of the file `networks.json` that the page was built with. */
type PageNetwork = KitNetwork & {
  readonly rpcUrls: readonly string[]
  readonly nativeCurrency: NonNullable<KitNetwork['nativeCurrency']>
}

const form = byId('form', HTMLFormElement)
const key = byId('key', HTMLInputElement)
const keyStatus = byId('key-status', HTMLElement)
const to = byId('to', HTMLInputElement)
const tokens = byId('tokens', HTMLInputElement)
const networks = byId('networks', HTMLElement)

// The build writes them, and the policy of the page admits no other address.
const knownNetworks = JSON.parse(byId('known-networks', HTMLElement).textContent ?? '') as PageNetwork[]

const task = () => (chosen(form, 'task') === 'move' ? 'move' : 'delegate')

/** @throws RecoveryError USAGE, without repeating the key */
function readKey(): SecretAccount {
  const account = accountOfSecret(key.value)
  if (account) return account
  key.focus()
  throw new RecoveryError('USAGE', t('Enter the key in step 1: 64 hex digits, or 12 or 24 words.'))
}

function showKey(): void {
  const account = accountOfSecret(key.value)
  keyStatus.replaceChildren(
    ...(key.value.trim() === ''
      ? []
      : account
        ? [
            make(
              'p',
              {},
              t('This key is for'),
              ' ',
              make('strong', { className: 'mono', textContent: account.address }),
            ),
            make('p', { className: 'hint' }, t('If that is not your address, a digit or a word is wrong.')),
          ]
        : [
            make(
              'p',
              { className: 'problem' },
              t('This is no key: expected 64 hex digits, or 12 or 24 words.'),
            ),
          ]),
  )
}

/** Wei that stay for the fee of the last transfer: fees may double, and some networks add the fee of their L1. */
const feeReserve = 3n

const nameOfDelegate = (address: Address) => {
  const known = findKnownDelegate(address)
  return known ? t('the contract of {name}', { name: known.name }) : address
}

/** What the person should know about the storage that an earlier contract may have left. */
function storageNote(delegate: Address): string {
  const known = findKnownDelegate(delegate)
  const rest = t(
    'Lanyard’s contract reads no storage, so nothing collides. What the other one stored comes back if you return to it.',
  )
  if (known?.storage === 'none')
    return t('{name} keeps nothing in your account’s storage.', { name: known.name })
  return known
    ? `${t('{name} keeps its data in slots of its own (ERC-7201).', { name: known.name })} ${rest}`
    : `${t('This contract is not on our list, and may keep data in any slot.')} ${rest}`
}

interface Found {
  readonly connection: Connection
  readonly account: SecretAccount
  readonly nonce: number
  readonly delegate: Address | undefined
  readonly isDelegated: boolean
  readonly native: bigint
  readonly moves: readonly Move[]
}

function networkPart(network: PageNetwork) {
  const { name, nativeCurrency } = network
  const look = make('button', {
    type: 'button',
    className: 'secondary',
    textContent: t('Check {name}', { name }),
  })
  const sign = make('button', {
    type: 'button',
    className: 'secondary',
    textContent: t('Only sign for {name}', { name }),
  })
  const send = make('button', { type: 'button', textContent: t('Sign and send on {name}', { name }) })
  const move = make('button', { type: 'button', textContent: t('Sign and move on {name}', { name }) })
  const output = make('div')
  let found: Found | undefined
  const part = createPart({
    name,
    buttons: [send, move, sign, look],
    usable: () => {
      if (!found) return [look]
      if (task() === 'move') return found.moves.length > 0 ? [move, look] : [look]
      if (found.isDelegated) return [look]
      return found.native > 0n ? [send, sign, look] : [sign, look]
    },
    onState: () => {},
  })
  const reset = () => {
    if (!found) return
    found = undefined
    output.replaceChildren()
    part.confirm.replaceChildren()
    part.say(t('Something has changed: check again.'))
    part.show('new')
  }

  const check = () =>
    part.attempt(async () => {
      found = undefined
      output.replaceChildren()
      const account = readKey()
      const destination = task() === 'move' ? readDestination(account.address) : undefined
      const connection = await connectToAny(network, network.rpcUrls)
      const { client } = connection
      const { address } = account
      const [code, nonce, native] = await Promise.all([
        client.getCode({ address }),
        client.getTransactionCount({ address }),
        client.getBalance({ address }),
      ])
      const state = readDelegation(code)
      if (state.kind === 'contract')
        throw new RecoveryError(
          'USAGE',
          t('{name}: this address is a contract, which no key can change.', { name }),
        )
      const base = {
        ...{ connection, account, nonce, native },
        delegate: state.kind === 'delegated-elsewhere' ? state.delegate : undefined,
        isDelegated: state.kind === 'delegated',
      }
      if (destination === undefined) {
        found = { ...base, moves: [] }
        part.say(
          t('It holds {amount} {symbol}.', {
            amount: shortAmount(native, 18),
            symbol: nativeCurrency.symbol,
          }),
          state.kind === 'delegated' ? [t('It runs Lanyard’s contract already.')] : [],
          state.kind === 'delegated-elsewhere'
            ? [
                t('It runs {delegate} now, and would run Lanyard’s instead.', {
                  delegate: nameOfDelegate(state.delegate),
                }),
                storageNote(state.delegate),
              ]
            : [],
          native === 0n && state.kind !== 'delegated'
            ? [
                t(
                  'It has no coins for a fee. Sign only, and paste the text in the wallet under “Bring your address”.',
                ),
              ]
            : [],
        )
        return state.kind === 'delegated' ? 'nothing' : 'ready'
      }
      const query = {
        ...{ account: address, entryPoint: delegatedDeployment.entryPoint },
        tokens: [...network.tokens, ...readTokens()],
      }
      const holdings = await readHoldings(client, query)
      const { moves } = planMoves(holdings, { to: destination, entryPoint: query.entryPoint, nativeCurrency })
      const { possible, impossible } = await dropFailing(client, address, moves)
      found = { ...base, moves: possible }
      part.say(
        possible.length > 0 ? t('Will be moved:') : t('There is nothing to move now.'),
        possible.map(({ what }) => what),
        impossible,
        possible.length > 0 ? [t('A few coins stay for the fees.')] : [],
      )
      return possible.length > 0 ? (native > 0n ? 'ready' : 'problem') : 'nothing'
    })
  look.onclick = () => void check()

  const signFor = async ({ account }: Found, nonce: number) => {
    // viem types it as optional. Accounts of keys and of words have it.
    if (!account.signAuthorization) throw new TypeError('The account signs no authorisations')
    const { chainId } = network
    return account.signAuthorization({ address: delegatedDeployment.delegate, chainId, nonce })
  }

  const question = ({ account }: Found) => [
    t(
      'From then on, your address runs this contract on {name}. Your key stays the only one that can sign for it.',
      { name },
    ),
    make('strong', {
      className: 'mono',
      textContent: `${account.address} → ${delegatedDeployment.delegate}`,
    }),
  ]

  sign.onclick = () => {
    const read = found
    if (!read) return
    part.ask(
      question(read),
      t('Yes, sign for'),
      () =>
        void part.attempt(async () => {
          const { chainId, address, nonce, r, s, yParity } = await signFor(read, read.nonce)
          const text = JSON.stringify({ chainId, address, nonce, r, s, yParity })
          showText(text, read.account.address)
          part.say(t('Signed. It is valid until this address sends a transaction on {name}.', { name }))
          return 'done'
        }),
    )
  }

  function showText(text: string, address: Address): void {
    const id = `signed-${network.chainId}`
    output.replaceChildren(
      make('label', { htmlFor: id, textContent: t('Signed delegation for {name}: no secret', { name }) }),
      make('textarea', { id, readOnly: true, rows: 4, value: text }),
      make('a', {
        href: URL.createObjectURL(new Blob([text], { type: 'application/json' })),
        download: `delegation-${address}-${network.chainId}.json`,
        className: 'download',
        textContent: t('Save it as a file'),
      }),
    )
  }

  send.onclick = () => {
    const read = found
    if (!read) return
    part.ask(
      question(read),
      t('Yes, send it on'),
      () =>
        void part.attempt(async () => {
          const { connection, account } = read
          const { client, chain } = connection
          // A transaction of the EOA's own raises its nonce before the list is read (EIP-7702).
          const authorization = await signFor(read, read.nonce + 1)
          const wallet = createWalletClient({ account, chain, transport: http(client.transport.url) })
          const hash = await wallet.sendTransaction({
            ...{ to: account.address, value: 0n, nonce: read.nonce },
            authorizationList: [authorization],
          })
          await client.waitForTransactionReceipt({ hash })
          const code = await client.getCode({ address: account.address })
          if (readDelegation(code).kind !== 'delegated')
            throw new RecoveryError('FAILED', t('Transaction {hash}', { hash }))
          found = undefined
          part.say(t('Done on {name}.', { name }), [t('Transaction {hash}', { hash })])
          return 'done'
        }),
    )
  }

  move.onclick = () => {
    const read = found
    if (!read) return
    part.ask(
      [
        t('Everything listed above goes to this address. It cannot be brought back, so compare all of it.'),
        make('strong', { className: 'mono', textContent: to.value.trim() }),
      ],
      t('Yes, move it on'),
      () =>
        void part.attempt(async () => {
          const hashes = await moveAll(read)
          found = undefined
          part.say(
            t('Done on {name}.', { name }),
            hashes.map((hash) => t('Transaction {hash}', { hash })),
          )
          return 'done'
        }),
    )
  }

  part.show('new')
  const element = make(
    'div',
    { className: 'network' },
    make('h3', { textContent: name }),
    part.element(output),
  )
  return { element, reset }
}

/** Sends one transaction for each move, the coins last. */
async function moveAll({ connection, account, moves }: Found): Promise<readonly string[]> {
  const { client } = connection
  const payer = keyPayer(connection, account)
  const hashes: string[] = []
  for (const { call } of moves) {
    if (call.data !== '0x') {
      hashes.push(await sendAndWait(connection, payer, call))
      continue
    }
    const [balance, { maxFeePerGas }, gas] = await Promise.all([
      client.getBalance({ address: account.address }),
      client.estimateFeesPerGas(),
      client.estimateGas({ account, to: call.to, value: 1n }),
    ])
    const value = balance - gas * maxFeePerGas * feeReserve
    if (value <= 0n) throw new RecoveryError('CANNOT_PAY', t('The account has too few coins for the fee.'))
    hashes.push(await sendAndWait(connection, payer, { ...call, value, gas }))
  }
  return hashes
}

/** @throws RecoveryError USAGE */
function readDestination(from: Address): Address {
  if (to.value.trim() === '') {
    to.focus()
    throw new RecoveryError('USAGE', t('Enter the address that gets everything in step 2.'))
  }
  const address = readAddress(to.value, t('Destination'))
  if (!isAddressEqual(address, from)) return address
  throw new RecoveryError(
    'USAGE',
    t('This is the address of the key itself. Enter that of your new account.'),
  )
}

/** @throws RecoveryError USAGE */
const readTokens = () =>
  tokens.value
    .split(/[\s,]+/)
    .filter((text) => text !== '')
    .map((text) => readAddress(text, t('Further tokens')))

let parts: ReturnType<typeof networkPart>[] = []

function show(): void {
  byId('move-fields', HTMLElement).hidden = task() !== 'move'
  showKey()
}

function showAll(): void {
  parts = knownNetworks.map(networkPart)
  networks.replaceChildren(...parts.map(({ element }) => element))
  show()
}

const isFile = window.location.protocol === 'file:'
byId('served', HTMLElement).hidden = isFile
byId('local', HTMLElement).hidden = !isFile
key.disabled = !isFile
form.addEventListener('input', () => {
  for (const { reset } of parts) reset()
  show()
})
form.addEventListener('submit', (event) => event.preventDefault())
// Browsers keep a page that was left, to show it again: without the key.
addEventListener('pagehide', () => {
  key.value = ''
})
startLanguage('Bring an exported key', showAll)
showAll()
