// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.woven.RefFields;
import java.lang.reflect.Field;
import java.util.Optional;

/**
 * The receiver of an ask to a sharded entity: the shard region behind a typed reference, which is
 * no actor's reference itself. By reflection, since an application may have no cluster; the field
 * is looked up once for each class.
 *
 * <p><b>Threads.</b> Any.
 */
public final class EntityTarget {
  private static final String REFERENCE = "EntityRefImpl";
  private static final String REGION = "shardRegion";

  private static final ClassValue<Optional<Field>> REGIONS =
      new ClassValue<>() {
        @Override
        protected Optional<Field> computeValue(Class<?> type) {
          return type.getName().endsWith(REFERENCE) ? region(type) : Optional.empty();
        }
      };

  private EntityTarget() {}

  /** The region, or {@code target} itself if that is no reference to an entity. */
  public static Object of(Object target) {
    Optional<Field> field =
        target instanceof RefFields ? Optional.empty() : REGIONS.get(target.getClass());
    if (field.isEmpty()) {
      return target;
    }
    try {
      Object region = field.get().get(target);
      return region == null ? target : region;
    } catch (IllegalAccessException e) {
      return target; // cannot happen, it was made accessible
    }
  }

  private static Optional<Field> region(Class<?> type) {
    try {
      Field field = type.getDeclaredField(REGION);
      field.setAccessible(true);
      return Optional.of(field);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty(); // another shape than we know
    }
  }
}
