import { ListSkeleton } from '../ui/list-skeleton.tsx'
import { Notice } from '../ui/notice.tsx'

/** Shown while a screen loads. */
export function LoadingScreen() {
  return navigator.onLine ? (
    <ListSkeleton label="Loading" />
  ) : (
    <Notice tone="warning" title="You are offline.">
      This page opens as soon as you are connected.
    </Notice>
  )
}
