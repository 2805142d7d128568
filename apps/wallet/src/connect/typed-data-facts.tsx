import type { AccountTypedData } from '@lanyard/accounts'
import { Notice } from '@lanyard/ui'
import { t } from '../i18n/t.ts'
import { decodeTypedData, showText, type TypedDataField } from '../messages/decode-typed-data.ts'
import { findRisks, type TypedDataRisk } from '../messages/typed-data-risks.ts'

const warnings: Readonly<Record<TypedDataRisk, { title: string; text: string }>> = {
  permit2: {
    title: t('This lets somebody take your tokens through Permit2.'),
    text: t(
      'Whoever holds the signature can move them without asking you again. Check the spender and the amounts.',
    ),
  },
  permit: {
    title: t('This lets somebody take your tokens.'),
    text: t(
      'It is a permit: the spender can move the tokens or NFTs without asking you again. Check the spender and the amount.',
    ),
  },
  transfer: {
    title: t('This moves your tokens.'),
    text: t('Whoever holds the signature can carry the transfer out. Check the recipient and the amount.'),
  },
  order: {
    title: t('This is a marketplace order.'),
    text: t('It can be filled later, at exactly these terms. Check what you give and what you get.'),
  },
  compact: {
    title: t('This lets somebody claim what you locked.'),
    text: t(
      'It is a claim of The Compact: the arbiter can hand out the tokens. Check the arbiter, the amounts and the time.',
    ),
  },
  call: {
    title: t('This lets somebody act in your name.'),
    text: t(
      'Whoever holds the signature can make the call below as if you had sent it. Check the contract and the data.',
    ),
  },
  safe: {
    title: t('This is a transaction of a Safe account.'),
    text: t(
      'If your account owns that Safe, the signature approves what is shown below. It can move everything that the Safe holds.',
    ),
  },
  unlimited: {
    title: t('An amount has no limit.'),
    text: t(
      'Somebody can take all that you hold of it, now and later. Ask the app for the amount that is needed.',
    ),
  },
  otherChain: {
    title: t('This names another network.'),
    text: t('The signature counts only on the network that is shown.'),
  },
}

/**
 * EIP-712 domain members, for types that do not name them. Other members of a domain are not signed, so they
 * are not shown.
 */
const domainMembers = ['name', 'version', 'chainId', 'verifyingContract', 'salt']

function signedDomain({ domain = {}, types }: AccountTypedData) {
  const names = types.EIP712Domain?.map(({ name }) => name) ?? domainMembers
  return names.flatMap((name) => (domain[name] === undefined ? [] : [{ name, value: String(domain[name]) }]))
}

/** Shows EIP-712 typed data in full: its network, the signed content, and warnings. */
export function TypedDataFacts({ typedData, chainId }: { typedData: AccountTypedData; chainId: number }) {
  const { primaryType } = typedData
  return (
    <>
      {findRisks(typedData, { chainId }).map((risk) => (
        <Notice key={risk} tone={risk === 'otherChain' ? 'warning' : 'error'} title={warnings[risk].title}>
          {warnings[risk].text}
        </Notice>
      ))}
      <div className="grid gap-3 text-sm">
        <p className="wrap-anywhere font-semibold text-lg">{showText(primaryType)}</p>
        <Fields fields={decodeTypedData(typedData)} />
      </div>
      <div className="grid gap-2 border-line border-t pt-4 text-sm">
        <p className="text-muted">{t('For the contract or service that calls itself')}</p>
        <dl className="grid gap-1.5">
          {signedDomain(typedData).map(({ name, value }) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-6">
              <dt className="text-muted">{showText(name)}</dt>
              <dd className="wrap-anywhere font-mono">{showText(value)}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  )
}

function Fields({ fields }: { fields: readonly TypedDataField[] }) {
  return (
    <dl className="grid gap-2">
      {fields.map(({ name, type, value, members }) => (
        <div key={name}>
          <dt className="wrap-anywhere text-muted">
            {name} <span className="font-mono text-xs">{type}</span>
          </dt>
          {value === undefined ? (
            <dd className="mt-1 border-line border-l-2 pl-3">
              {members.length > 0 ? <Fields fields={members} /> : 'nothing'}
            </dd>
          ) : (
            <dd className="wrap-anywhere whitespace-pre-wrap font-mono">
              {value === '' ? '(empty)' : value}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}
