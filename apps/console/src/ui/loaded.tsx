import { ListSkeleton } from '@lanyard/ui'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNotice } from './error-notice.tsx'

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>
  /** What is loading, for screen readers. */
  readonly label: string
  readonly children: (data: T) => ReactNode
}

/** A query's data, or what is said until it is there. Data that was read before stays while a refresh fails. */
export function Loaded<T>({ query, label, children }: LoadedProps<T>) {
  const { data, error, refetch } = query
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : !error && <ListSkeleton label={label} />}
    </>
  )
}
