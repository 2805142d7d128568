import { Card } from '@lanyard/ui'
import type { ReactNode } from 'react'

interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Its lines are not broken where a table has room for it. */
  readonly isShort?: boolean
}

interface TableProps<Row> {
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
  /** Shown instead of the table without rows. */
  readonly empty: ReactNode
}

/** A table; on a phone each row is a small card with its titles. */
export function Table<Row>({ caption, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p className="text-muted text-sm">{empty}</p>
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-sm max-lg:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-lg:sr-only">
          <tr className="border-line border-b text-left text-muted">
            {columns.map(({ title, isNumber }) => (
              <th
                key={title}
                scope="col"
                className={`px-3 py-2 font-medium first:pl-4 last:pr-4 ${isNumber ? 'text-right' : ''}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {rows.map((row) => (
            <tr
              key={keyOf(row)}
              className="border-line border-b last:border-b-0 max-lg:grid max-lg:gap-1 max-lg:p-4"
            >
              {columns.map(({ title, cell, isNumber, isShort }) => (
                <td
                  key={title}
                  className={`wrap-anywhere align-baseline max-lg:flex max-lg:min-h-11 max-lg:flex-wrap max-lg:items-center max-lg:justify-between max-lg:gap-x-4 lg:px-3 lg:py-2.5 lg:first:pl-4 lg:last:pr-4 ${isNumber ? 'figures lg:text-right' : ''} ${isShort ? 'xl:whitespace-nowrap' : ''}`}
                >
                  <span aria-hidden="true" className="text-muted lg:hidden">
                    {title}
                  </span>
                  <span className="min-w-0 max-lg:text-right">{cell(row)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
