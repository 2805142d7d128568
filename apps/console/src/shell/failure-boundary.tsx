import { Button, Notice } from '@lanyard/ui'
import { Component, type ReactNode } from 'react'

/** Replaces a screen that could not be drawn, such as after an update of the service. */
export class FailureBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
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
    )
  }
}
