import { Walkon } from '@walkon/widget'
import { createElement, useEffect, useImperativeHandle, useRef } from 'react'

const EVENTS = ['open', 'close', 'ready', 'message', 'unread', 'command', 'edit', 'tool', 'end', 'error']

/** Shows a launcher, or the chat in its place with `mode="inline"`. `index.d.ts` has the properties. */
export function WalkonChat({ ref, className, style, ...props }) {
  const place = useRef(null)
  const handle = useRef(null)
  const latest = useRef(props)
  latest.current = props
  const { service, scenario, npc, name, mode, theme, lang } = props
  useEffect(() => {
    const { current: options } = latest
    const made = Walkon.add({ ...options, name: name ?? undefined }, mode === 'inline' ? place.current : null)
    handle.current = made
    for (const event of EVENTS)
      made.on(event, (detail) => latest.current['on' + event[0].toUpperCase() + event.slice(1)]?.(detail))
    return () => void made.destroy()
  }, [service, scenario, npc, name, mode])
  useEffect(() => void (theme && handle.current.setTheme(theme)), [theme])
  useEffect(() => void (lang && handle.current.setLocale(lang)), [lang])
  useImperativeHandle(ref, () => handle.current, [service, scenario, npc, name, mode])
  return mode === 'inline' ? createElement('div', { ref: place, className, style }) : null
}
