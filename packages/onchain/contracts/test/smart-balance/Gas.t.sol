// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Settling} from "../../smart-balance/Settlement.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {DevToken} from "../../DevToken.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev Written to snapshots/SmartBalance.json and compared in every run. The figures are the gas of the call alone,
/// with everything cold except the called account, without the 21,000 and the calldata of a transaction.
contract GasTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(5_000e6);
        _on(O);
    }

    function test_transfer() public {
        DevToken token = tokenOn[O];
        token.mint(address(this), 2);
        vm.cool(address(token));
        token.transfer(account, 1);
        vm.snapshotGasLastCall("SmartBalance", "plain ERC-20 transfer, for comparison");
    }

    function test_validate() public {
        PackedUserOperation memory op = _build(_draft());
        _cool();
        vm.prank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        vm.snapshotGasLastCall("SmartBalance", "validatePaymasterUserOp, EOA owner");
    }

    /// @dev Estimates use stubs for both signatures; the resulting limit must suffice for the real ones.
    function test_validateStubs() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _build(draft);
        _gasOfValidation(op); // the first one pays for this contract's memory
        uint256 real = _gasOfValidation(op);
        draft.operatorKey = THIRD_PARTY_KEY;
        op = _build(draft);
        op.signature = _signAsOwner(op, THIRD_PARTY_KEY);
        assertTrue(_gasOfValidation(op) + 500 > real, "stubs are not cheaper");
    }

    function test_claim() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _build(draft);
        vm.prank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        _cool();
        vm.prank(account);
        smartBalance.claim(draft.nonce);
        vm.snapshotGasLastCall("SmartBalance", "claim");
    }

    /// @dev A later order of the account: neither the first nonce nor anyone's first balance.
    function test_handleOps() public {
        vm.deal(BUNDLER, 1);
        _claimed(_draft());
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = _build(_draft());
        _cool();
        address[4] memory others = [address(entryPoint), account, address(module), singleton];
        for (uint256 i; i < others.length; ++i) {
            vm.cool(others[i]);
        }
        entryPoint.handleOps(ops, BUNDLER);
        vm.snapshotGasLastCall("SmartBalance", "handleOps with a claimed order, EOA owner");
    }

    function test_settle() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        _cool();
        _settle(item);
        vm.snapshotGasLastCall("SmartBalance", "settle, 1 order");
    }

    function test_settleBatch5() public {
        _settleBatch(5, "settleBatch, 5 orders");
    }

    function test_settleBatch20() public {
        _settleBatch(20, "settleBatch, 20 orders");
    }

    function _settleBatch(uint256 count, string memory name) private {
        Settling[] memory batch = new Settling[](count);
        for (uint256 i; i < count; ++i) {
            Draft memory draft = _draft();
            draft.claimAmount = 10e6;
            batch[i] = _claimed(draft);
        }
        _on(A);
        _cool();
        vm.prank(SETTLER);
        smartBalance.settleBatch(batch);
        vm.snapshotGasLastCall("SmartBalance", name);
    }

    function _gasOfValidation(PackedUserOperation memory op) private returns (uint256) {
        _cool();
        vm.prank(address(entryPoint));
        uint256 before = gasleft();
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        return before - gasleft();
    }

    function _cool() private {
        vm.cool(address(smartBalance));
        vm.cool(address(epochs));
        vm.cool(address(attestorSet));
        vm.cool(address(tokenOn[network]));
    }
}
