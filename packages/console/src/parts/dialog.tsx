import { createContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { t } from '../texts/texts.ts';
import { Button } from './button.tsx';
import css from './form.module.css';
import parts from './parts.module.css';

/** One function per form in the dialog, which returns true if something was typed. */
export const DialogForms = createContext<Set<() => boolean> | null>(null);

type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Shows a small box for a decision instead of a sheet at the side. */
  isBox?: boolean;
};

/**
 * Keeps the focus and closes with Escape or a click outside. With a form, clicks outside never
 * close it, and Escape only before something is typed.
 */
export function Dialog({ title, isOpen, onClose, children, isBox = false }: DialogProps) {
  const [forms] = useState(() => new Set<() => boolean>());
  const isTyped = () => [...forms].some((isFormTyped) => isFormTyped());
  const content = useRef<HTMLElement>(null);
  const leave = () => {
    if (!isTyped()) onClose();
  };
  useLostFocus(isOpen, content, leave);

  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && leave()}
      isDismissable
      shouldCloseOnInteractOutside={() => forms.size === 0}
      className={css['shade']!}
      {...(isBox ? { 'data-centered': true } : {})}
    >
      <Modal className={isBox ? css['box']! : css['sheet']!}>
        <AriaDialog ref={content} className={css['dialog']!}>
          <div className={parts['blockHead']}>
            <Heading slot="title" level={2}>
              {title}
            </Heading>
            <Button look="quiet" small onPress={onClose} label={t('action.close')}>
              ✕
            </Button>
          </div>
          <DialogForms value={forms}>{children}</DialogForms>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/**
 * Closes the topmost dialog with Escape also while nothing has the focus. The browser drops it when
 * its element disappears, such as the button of a row that was deleted.
 */
function useLostFocus(
  isOpen: boolean,
  content: React.RefObject<HTMLElement | null>,
  leave: () => void,
): void {
  useEffect(() => {
    if (!isOpen) return;
    const press = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || document.activeElement !== document.body) return;
      if ([...document.querySelectorAll('[role=dialog]')].at(-1) === content.current) leave();
    };
    document.addEventListener('keydown', press);

    return () => document.removeEventListener('keydown', press);
  });
}
