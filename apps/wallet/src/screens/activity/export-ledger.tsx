import { ledgerCsvHeader, toLedgerCsv } from '@lanyard/contracts'
import { Button, download, Notice } from '@lanyard/ui'
import { trpc } from '../../api/trpc.ts'
import { useCancellableMutation } from '../../api/use-cancellable-mutation.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { t } from '../../i18n/t.ts'
import { useSession } from '../../sign-in/session-context.tsx'

/** Entries of one request. */
const limit = 1_000

/** Everything final that moved money of an account, as lines of CSV; undefined if there is nothing. */
async function readLedgerAsCsv(walletAddress: string, signal: AbortSignal): Promise<string | undefined> {
  const lines: string[] = []
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const page = await trpc.wallet.ledger.query({ walletAddress, after, limit }, { signal })
    lines.push(...page.entries.map(toLedgerCsv))
    isLast = page.next === null
    after = page.next ?? undefined
  }
  return lines.length === 0 ? undefined : ledgerCsvHeader + lines.join('')
}

/** Saves the account's ledger as a file for a spreadsheet. */
export function ExportLedger() {
  const { account } = useSession()
  const csv = useCancellableMutation({
    mutationFn: (signal) => readLedgerAsCsv(account, signal),
    onSuccess: (text) => {
      if (text !== undefined) download(`lanyard-${account.slice(0, 8)}.csv`, text, 'text/csv')
    },
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button variant="secondary" busy={csv.isPending} onClick={() => csv.mutate()}>
        {t('Export CSV')}
      </Button>
      {csv.isSuccess && csv.data === undefined && (
        <Notice tone="info">
          {t('There is nothing to export yet. A payment is in the file some minutes after it is final.')}
        </Notice>
      )}
      {csv.error && <ErrorNotice error={csv.error} onRetry={() => csv.mutate()} />}
    </div>
  )
}
