import { Button, Card, Details, Notice } from '@lanyard/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Address, encodeFunctionData, erc20Abi, type Hex, isAddressEqual } from 'viem'
import { formatShortAmount } from '../../amounts/amounts.ts'
import { trpc } from '../../api/trpc.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import type { Network } from '../../networks/use-networks.ts'
import { useSessionState } from '../../sign-in/session-context.tsx'
import { sendFromEoa } from '../../signers/eoa-wallet.ts'
import { useAddressField, useKnownPeople } from './address-field.tsx'
import { ApprovalList } from './approval-list.tsx'
import type { Holdings, ImportedEoa } from './imported-eoa.tsx'

interface MoveAwayProps {
  readonly eoa: ImportedEoa
  readonly networks: readonly Network[]
  readonly holdings: Holdings
  readonly onMoved: () => void
}

/** One transaction of the wallet. */
interface Step {
  readonly chainId: number
  readonly what: string
  readonly to: Address
  readonly data: Hex
  /** Wei. */
  readonly value: bigint
}

/** Of the coins, a tenth stays, so that the wallet can pay for the transactions. */
const keptForFees = 10n

/** The transfers that move what an address holds: the tokens of each network, and then its coins. */
function planMove(holdings: Holdings, networks: readonly Network[], to: Address): readonly Step[] {
  return holdings.flatMap(({ network, native, tokens }) => {
    const known = networks.find(({ chainId }) => String(chainId) === network)
    const [coin] = known?.currencies ?? []
    if (!known || !coin) return []
    const wei = BigInt(native ?? 0)
    const value = wei - wei / keptForFees
    const step = (amount: bigint, decimals: number, symbol: string) => ({
      chainId: known.chainId,
      what: `${formatShortAmount(amount, decimals)} ${symbol} · ${known.name}`,
    })
    return [
      ...tokens
        .filter(({ balance }) => BigInt(balance) > 0n)
        .map(({ address, balance, decimals, symbol }) => ({
          ...step(BigInt(balance), decimals, symbol),
          ...{ to: address, value: 0n },
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, BigInt(balance)] }),
        })),
      ...(value > 0n ? [{ ...step(value, coin.decimals, coin.symbol), to, value, data: '0x' as const }] : []),
    ]
  })
}

/** Moves what the address holds to another account, by transactions that the wallet shows one by one. */
export function MoveAway({ eoa: { wallet, address }, networks, holdings, onMoved }: MoveAwayProps) {
  const { session } = useSessionState()
  const to = useAddressField(useKnownPeople(address), session?.account ?? '')
  const [steps, setSteps] = useState<readonly Step[]>()
  const [done, setDone] = useState(0)
  const creating = useMutation({
    mutationFn: () => trpc.smartAccount.create.mutate({ eoaAddress: address }),
    onSuccess: ({ wallet: created }) => {
      to.set(created.scw_address)
      setSteps(undefined)
    },
  })
  const moving = useMutation({
    mutationFn: async (planned: readonly Step[]) => {
      for (const [index, { chainId, to: target, data, value }] of planned.entries()) {
        // What was sent is not sent again after an error.
        if (index < done) continue
        await sendFromEoa(wallet, chainId, { from: address, to: target, data, value })
        setDone(index + 1)
      }
    },
    onSuccess: onMoved,
  })
  function plan() {
    const target = to.read()
    if (!target) return
    if (isAddressEqual(target, address))
      return to.setProblem(t('This is the address that you move from. Enter that of your new account.'))
    setDone(0)
    moving.reset()
    setSteps(planMove(holdings, networks, target))
  }
  return (
    <Card className="p-5">
      <Details summary={t('Move everything to another account')}>
        <div className="grid gap-4 pt-3">
          <p className="text-muted text-sm">
            {t(
              'Who wants a passkey, more owners or guardians gets a new address. Your wallet sends each transfer after you have seen it.',
            )}
          </p>
          {to.render(t('New account (address)'), () => setSteps(undefined))}
          <div className="flex flex-wrap gap-2.5">
            <Button variant="secondary" onClick={plan} disabled={moving.isPending}>
              {t('Show the plan')}
            </Button>
            <Button variant="quiet" busy={creating.isPending} onClick={() => creating.mutate()}>
              {t('Create an account that this address owns')}
            </Button>
          </div>
          {creating.error && <ErrorNotice error={creating.error} />}
          {steps?.length === 0 && <Notice title={t('There is nothing to move.')} />}
          {steps && steps.length > 0 && (
            <>
              <ol className="grid gap-1 text-sm">
                {steps.map(({ what, chainId, to: target, data }, index) => (
                  <li key={`${chainId} ${target} ${data}`}>
                    {index < done ? '✓ ' : ''}
                    {what}
                  </li>
                ))}
              </ol>
              <p className="text-muted text-sm">
                {t(
                  'A tenth of the coins stays for fees. Not in the plan: tokens that this wallet does not know, NFTs, and deposits in other apps. Approvals stay with the old address: give them again from the new one, and end the old ones.',
                )}
              </p>
              <ApprovalList eoa={{ wallet, address }} networks={networks} holdings={holdings} />
              {moving.error && <ErrorNotice error={moving.error} undone={t('What has a tick is sent.')} />}
              {moving.isSuccess ? (
                <Notice title={t('Everything in the plan is sent.')} />
              ) : (
                <Button size="large" busy={moving.isPending} onClick={() => moving.mutate(steps)}>
                  {t('Send it with your wallet')}
                </Button>
              )}
            </>
          )}
        </div>
      </Details>
    </Card>
  )
}
