// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import com.typesafe.config.ConfigException;
import io.deimos.agent.control.AuditLog.Entry;
import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.Given;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.PlainHocon;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.settings.SettingsChange;
import io.deimos.agent.settings.SettingsReader;
import io.deimos.agent.settings.SettingsReading.HeldLine;
import io.deimos.agent.settings.SettingsReading.PresetLine;
import io.deimos.agent.settings.ValueType;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The page's changes after somebody asks for one more. Changes nothing itself: the outcome is
 * either why it cannot be, or the changes as they are then, with what was done in words.
 *
 * @param current in force
 * @param woven when the JVM started
 * @param page the changes that hold now
 * @param nowNanos by which changes end
 */
record PageEdit(
    Settings current, Settings woven, Sources sources, PageChanges page, long nowNanos) {

  /**
   * The outcome.
   *
   * @param refused why it cannot be; empty if it can
   * @param entry null if nothing was to be done
   * @param isTimed whether something has begun that ends by itself
   */
  record Outcome(String refused, PageChanges page, @Nullable Entry entry, boolean isTimed) {}

  Outcome of(SettingsChange change, String by) {
    if (change instanceof SettingsChange.Set one) {
      return set(one, by);
    }
    return change instanceof SettingsChange.Begin one
        ? begin(one, by)
        : end((SettingsChange.End) change, by);
  }

  private Outcome refused(String why) {
    return new Outcome(why, page, null, false);
  }

  private static Outcome done(PageChanges then, Entry entry) {
    return new Outcome("", then, entry, false);
  }

  private Outcome set(SettingsChange.Set asked, String by) {
    Key<?> key = Keys.named(asked.key());
    if (key == null) {
      return refused("there is no setting " + Printable.shortLine(asked.key()));
    }
    String value = asked.value() == null || asked.value().isBlank() ? null : asked.value();
    String refused = refusal(key, value);
    if (refused != null) {
      return refused(refused);
    }
    if (value == null) {
      return takeBack(key, by);
    }
    Duration during = asked.during();
    if (during != null && page.areFull()) {
      return refused(full());
    }
    // One that holds for good is what those before it would come back to.
    PageChanges before = during == null ? page.without(one -> one.isOf(key)) : page;
    return begun(
        before,
        null,
        key,
        value,
        during,
        new Entry(
            by,
            "set " + key.name() + " to " + value + during(during),
            by + during(during),
            "",
            true));
  }

  private Outcome takeBack(Key<?> key, String by) {
    if (page.all().stream().noneMatch(one -> one.isOf(key))) {
      PageChanges.Change holds = page.giver(key, page.over(sources.layers()));
      return holds == null
          ? new Outcome("", page, null, false)
          : refused(
              key.name()
                  + " is held by the preset "
                  + holds.shown()
                  + "; end that, or set the setting itself");
    }
    return done(
        page.without(one -> one.isOf(key)), new Entry(by, "took back " + key.name(), by, "", true));
  }

  private Outcome begin(SettingsChange.Begin asked, String by) {
    Preset preset = Preset.named(asked.preset());
    if (preset == null) {
      return refused(
          "there is no preset "
              + Printable.shortLine(asked.preset())
              + "; there are "
              + String.join(" and ", Preset.ALL.stream().map(Preset::name).toList()));
    }
    Duration during = asked.during() == null ? preset.otherwise() : asked.during();
    PageChanges before = makingRoom(during != null);
    String refused = refusal(preset, before);
    if (refused != null) {
      return refused(refused);
    }
    if (during != null && before.areFull()) {
      return refused(full());
    }
    String replaced =
        page.all().stream()
            .filter(one -> !before.all().contains(one))
            .map(one -> ", in place of " + one.shown())
            .reduce("", String::concat);
    String began = preset.name() + " began" + during(during) + replaced;
    return begun(
        before,
        preset,
        null,
        "",
        during,
        new Entry(by, began, "the preset " + preset.name(), "preset " + began + " by " + by, true));
  }

  /** The changes that remain when a preset begins: of each kind there is one. */
  private PageChanges makingRoom(boolean isTimed) {
    return page.without(one -> one.preset() != null && (one.isTimed() || !isTimed));
  }

  private Outcome end(SettingsChange.End asked, String by) {
    String which = asked.which();
    List<PageChanges.Change> ended =
        page.all().stream()
            .filter(
                one ->
                    which.equals(Long.toString(one.number()))
                        || (one.preset() != null && which.equals(one.preset().name())))
            .toList();
    if (ended.isEmpty()) {
      return refused(
          "there is no change " + Printable.shortLine(which) + " now; it may have ended by itself");
    }
    String shown = ended.get(0).shown();
    return done(
        page.without(ended::contains),
        new Entry(
            by,
            "ended " + shown,
            by,
            ended.get(0).preset() == null ? "" : "preset " + shown + " ended by " + by,
            true));
  }

  /** Ends the changes that have had their time; null if there are none. */
  @Nullable Outcome due() {
    PageChanges.Change ended = page.due(nowNanos);
    if (ended == null) {
      return null;
    }
    String what = ended.shown() + " ended: its time was up";
    return done(
        page.without(ended::equals),
        new Entry(
            "Deimos",
            what,
            "the end of " + (ended.preset() == null ? "its time" : "preset " + ended.shown()),
            ended.preset() == null ? "" : "preset " + what,
            true));
  }

  private Outcome begun(
      PageChanges before,
      @Nullable Preset preset,
      @Nullable Key<?> key,
      String value,
      @Nullable Duration during,
      Entry entry) {
    PageChanges.Change change =
        new PageChanges.Change(
            page.made() + 1,
            preset,
            key,
            value,
            during != null,
            during == null ? 0 : nowNanos + during.toNanos(),
            System.currentTimeMillis(),
            entry.by());
    return new Outcome("", before.with(change), entry, during != null);
  }

  private static String full() {
    return PageChanges.MAX_TIMED
        + " changes that end by themselves hold now, and there may be no more; end one of them, or"
        + " leave out for how long";
  }

  private static String during(@Nullable Duration during) {
    return during == null ? "" : " for " + ValueType.show(during);
  }

  /** Why a setting cannot be set so from the page; null if it can. */
  private @Nullable String refusal(Key<?> key, @Nullable String value) {
    if (!key.isForPage()) {
      return key.name() + " is set when the JVM starts or in the control file, not from the page";
    }
    if (!mayChange(key)) {
      return key.name()
          + " cannot change while the application runs"
          + (key.when() == Key.When.IF_ON_AT_START
              ? ": a part that " + LiveSettings.NOT_WOVEN
              : "");
    }
    Given given = Layer.empty().with(key, value).given(key);
    if (given != null) {
      try {
        PlainHocon.checkLength(Objects.requireNonNull(value));
        Objects.requireNonNull(key.type().parse().apply(given.value()));
      } catch (ConfigException | IllegalArgumentException e) {
        return given.shown() + key.type().refusal(e);
      }
    }
    return null;
  }

  /** Why a preset cannot begin over these changes; null if it can. */
  private @Nullable String refusal(Preset preset, PageChanges before) {
    for (Key<Boolean> needed : preset.needs()) {
      if (!current.get(needed)) {
        return preset.name() + " needs " + needed.name() + "=true; nothing is recorded without it";
      }
    }
    Settings below = quietly(before);
    for (PresetRule hold : preset.holds()) {
      String refused = refusal(hold.key(), hold.over().apply(below));
      if (refused != null) {
        return preset.name() + " changes several settings, and not all of them can be: " + refused;
      }
    }
    return null;
  }

  /** The effect of a preset now. */
  PresetLine line(Preset preset) {
    boolean isTimed = preset.otherwise() != null;
    PageChanges before = makingRoom(isTimed);
    PageChanges.Change begun = new PageChanges.Change(0, preset, null, "", isTimed, 0, 0, "");
    Settings then = quietly(before.with(begun));
    return new PresetLine(
        preset.name(),
        preset.title(),
        preset.does(),
        preset.costs(),
        preset.otherwise() == null ? null : preset.otherwise().toMillis(),
        preset.holds().stream()
            .map(
                hold ->
                    new HeldLine(
                        hold.key().name(),
                        hold.rule(),
                        hold.value(),
                        ValueType.show(current.get(hold.key())),
                        ValueType.show((mayChange(hold.key()) ? then : current).get(hold.key()))))
            .toList(),
        Objects.requireNonNullElse(refusal(preset, before), ""));
  }

  /** The settings that would be in force with these changes. Mistakes in them have been told. */
  private Settings quietly(PageChanges changes) {
    return new SettingsReader(changes.layers(sources.layers()), known -> {}).read();
  }

  private boolean mayChange(Key<?> key) {
    return key.mayChange(woven.get(key));
  }
}
