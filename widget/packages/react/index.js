import { Walkon } from '@walkon/widget'
import { createElement, forwardRef, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'

const EVENTS = ['open', 'close', 'ready', 'message', 'unread', 'command', 'edit', 'tool', 'end', 'error']

// React 18 warns about layout effects on a server, where effects do nothing anyway.
const useEarlyEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** Shows a launcher, or the chat in its place with `mode="inline"`. `index.d.ts` has the properties. */
export const WalkonChat = forwardRef(function WalkonChat({ className, style, ...props }, ref) {
  const place = useRef(null)
  const handle = useRef(null)
  const latest = useRef(props)
  latest.current = props
  const { service, scenario, npc, name, mode, theme, lang } = props
  // A layout effect, because React sets `ref` after the layout effects before it and before all other effects.
  useEarlyEffect(() => {
    const { current: options } = latest
    const made = Walkon.add({ ...options, name: name ?? undefined }, mode === 'inline' ? place.current : null)
    handle.current = made
    for (const event of EVENTS)
      made.on(event, (detail) => latest.current['on' + event[0].toUpperCase() + event.slice(1)]?.(detail))
    return () => void made.destroy()
  }, [service, scenario, npc, name, mode])
  useImperativeHandle(ref, () => handle.current, [service, scenario, npc, name, mode])
  useEffect(() => void (theme && handle.current.setTheme(theme)), [theme])
  useEffect(() => void (lang && handle.current.setLocale(lang)), [lang])
  return mode === 'inline' ? createElement('div', { ref: place, className, style }) : null
})
