// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @notice What the handlers of invariant campaigns share: each call is a step on one of the networks O and A.
abstract contract Campaign is SmartBalanceTest {
    uint256 private _clock;

    /// @dev Between calls the network is O. Cheat codes' state of an earlier call is not relied on.
    modifier step(uint256 networkSeed) {
        vm.warp(_clock);
        vm.chainId(O);
        vm.record();
        _on(networkSeed % 2 == 0 ? O : A);
        _;
        _on(O);
        _clock = block.timestamp;
    }

    function setUp() public virtual override {
        super.setUp();
        for (uint64 id = O; id <= A; ++id) {
            _on(id);
            _depositAndPin(500e6);
        }
        _on(O);
        _clock = block.timestamp;
    }
}
