import { Button, ErrorBoundary, Notice } from '@lanyard/ui'
import type { ReactNode } from 'react'

/** Replaces a screen that could not be drawn, such as after an update of the service. */
export const FailureBoundary = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary
    fallback={
      <Notice
        tone="error"
        title="This screen could not be shown."
        action={
          <Button variant="secondary" size="small" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        If the service was updated, a reload gets the new pages.
      </Notice>
    }
  >
    {children}
  </ErrorBoundary>
)
