// What is global: Django's catalogue of messages, what prefetch.js fetches, and the handle for user scripts and tests.

declare function gettext(message: string): string;
declare function ngettext(singular: string, plural: string, count: number): string;
declare function get_format(name: "THOUSAND_SEPARATOR"): string;
declare function interpolate(message: string, values: Record<string, string | number>, named: true): string;

declare var goldpanPrefetch: { view: Promise<any> } | undefined;
declare var goldpan: Readonly<Record<string, object>>;

/** Events of our own classes carry a detail. */
interface EventTarget {
  addEventListener(type: string, listener: (event: CustomEvent) => void, options?: AddEventListenerOptions): void;
}
